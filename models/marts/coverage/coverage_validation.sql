-- Two annotators predict the score that a system has with all of them: do the estimators?
select
    corpus,
    reference_set,
    metric,
    estimator,
    crowd,
    system,
    subset,
    n_references,
    target as n_predicted,
    corpus_score as naive,
    adjusted_score as predicted,
    actual,
    ci_low,
    ci_high,
    actual between ci_low and ci_high as is_covered

from {{ ref('score_adjustments') }}
where actual is not null
