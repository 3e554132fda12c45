select
    corpus, judgment_set, method, reference_set, metric, n_systems,
    pearson_r, pearson_ci_low, pearson_ci_high, pearson_q_value,
    spearman_rho, spearman_ci_low, spearman_ci_high,
    ceiling, chance_median, chance_low, chance_high, too_few
from human_correlations
where
    system_set = 'base' and sentence_set = 'judged' and resampled = 'both'
    and pearson_r is not null
order by corpus, judgment_set, method desc, reference_set, pearson_r desc, metric
