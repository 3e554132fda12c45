-- How many references per sentence to collect for a share of its valid corrections, or for a stable
-- order of systems: the smallest number that reaches the target. The bounds are those of the bounds
-- of coverage. Orders have none, because their annotators are the sample.
with

curves as (

    select
        corpus,
        measure,
        estimator,
        n_references,
        expected_share as share,
        ci_low,
        ci_high

    from {{ ref('coverage') }}
    where sentence_id is null and with_replacement

    union all by name

    select
        corpus,
        reference_set,
        metric,
        measure,
        'disjoint_choices' as estimator,
        n_references,
        share

    from {{ ref('ranking_stability') }}

),

targets as (

    select unnest([0.25, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95])::double as target_share

)

select
    curves.corpus,
    curves.reference_set,
    curves.metric,
    curves.measure,
    curves.estimator,
    targets.target_share,
    min(curves.n_references) filter (where curves.share >= targets.target_share) as n_references,
    min(curves.n_references) filter (where curves.ci_high >= targets.target_share) as ci_low,
    min(curves.n_references) filter (where curves.ci_low >= targets.target_share) as ci_high,
    if(
        bool_or(curves.share >= targets.target_share), null, max(curves.n_references)
    ) as more_than

from curves
cross join targets
group by all
