-- How many references of each sentence to collect for a share of its valid corrections: the first
-- number whose expected share reaches it. The bounds are those of the curves around it.
with

curves as (

    select * from {{ ref('coverage') }}
    where sentence_id is null and with_replacement

),

targets as (

    select unnest([0.25, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9])::double as target_share

)

select
    curves.corpus,
    curves.mode,
    curves.measure,
    curves.estimator,
    targets.target_share,
    min(curves.n_references) filter (where curves.expected_share >= targets.target_share)
        as n_references,
    min(curves.n_references) filter (where curves.ci_high >= targets.target_share) as ci_low,
    min(curves.n_references) filter (where curves.ci_low >= targets.target_share) as ci_high

from curves
cross join targets
group by all
