-- Corpus scores with the loss by incomplete references taken out.
select
    corpus,
    reference_set,
    system,
    metric,
    estimator,
    crowd,
    n_references,
    corpus_score,
    adjusted_score,
    ci_low,
    ci_high

from {{ ref('score_adjustments') }}
where target is null and estimator <> 'naive'
