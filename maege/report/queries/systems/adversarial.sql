select
    corpus, reference_set, metric, system, corpus_score, rank, n_beaten, n_systems,
    n_beaten / n_systems as beaten_share
from adversarial_scores
where n_systems > 0 and system <> 'own_reference'
order by corpus, reference_set, metric, system
