select
    corpus, judgment_set, method, reference_set, metric, n_systems,
    pearson_r, pearson_ci_low, pearson_ci_high, pearson_p,
    spearman_rho, spearman_ci_low, spearman_ci_high
from human_correlations
where system_set = 'base' and sentence_set = 'judged' and pearson_r is not null
order by corpus, judgment_set, method desc, reference_set, pearson_r desc, metric
