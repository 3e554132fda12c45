-- Corpus scores with the loss by incomplete references taken out; and whether that holds: what some
-- annotators predict of the score with all of them.
select
    corpus,
    reference_set,
    system,
    metric,
    estimator,
    subset,
    crowd,
    n_references,
    corpus_score,
    adjusted_score,
    ci_low,
    ci_high,
    no_interval,
    target as n_predicted,
    actual as actual_score,
    actual between ci_low and ci_high as is_covered

from {{ ref('score_adjustments') }}
where
    actual is not null
    or (target is null and estimator <> 'naive')
