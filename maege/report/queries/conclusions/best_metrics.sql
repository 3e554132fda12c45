select
    level, corpus, judgment_set, metric, estimate, ci_low, ci_high, verdict, best_share, in_best_set,
    n, n_needed, too_few
from best_metrics
order by
    corpus,
    array_position(
        ['sentence', 'corpus', 'edit', 'system', 'output'], level
    ),
    judgment_set, best_share desc, estimate desc, metric
