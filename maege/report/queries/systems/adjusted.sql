select
    corpus, reference_set, metric, system, estimator, n_references,
    corpus_score, adjusted_score, ci_low, ci_high
from adjusted_scores
where subset is null and adjusted_score is not null
order by corpus, reference_set, metric, estimator, adjusted_score desc, system
