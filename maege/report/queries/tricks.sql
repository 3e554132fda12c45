select
    corpus, reference_set, metric, trick, score, would_rank, n_beaten, n_systems,
    n_beaten / n_systems as beaten_share
from adversarial_scores
where n_systems > 0 and trick not in ('own_reference')
order by corpus, reference_set, metric, trick
