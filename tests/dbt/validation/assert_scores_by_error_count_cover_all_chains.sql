-- Every chain begins with an original, so the counts add up to the chains, except for user metrics
-- with missing scores.
with

counted as (

    select
        corpus,
        experiment,
        metric,
        sum(n_chains) as n_chains,
        min(n_errors) as fewest_errors

    from {{ ref('scores_by_error_count') }}
    group by all

),

incomplete as (

    select distinct metric from {{ ref('unscored_pairs') }}

)

select
    counted.*,
    correlations.n_chains as expected_chains

from {{ ref('sentence_correlations') }} as correlations
left join counted
    on
        correlations.corpus = counted.corpus
        and correlations.experiment = counted.experiment
        and correlations.metric = counted.metric
left join incomplete on correlations.metric = incomplete.metric
where
    (incomplete.metric is null and counted.n_chains is distinct from correlations.n_chains)
    or counted.fewest_errors < 1
