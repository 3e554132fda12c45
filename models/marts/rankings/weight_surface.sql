-- How the weighted sum of grammaticality, fluency and meaning correlates with judges, over a grid
-- of weights.
select
    corpus,
    judgment_set,
    method,
    system_set,
    grammaticality_weight,
    fluency_weight,
    meaning_weight,
    n_systems,
    pearson_r,
    pearson_ci_low,
    pearson_ci_high,
    spearman_rho,
    spearman_ci_low,
    spearman_ci_high,
    n_samples,
    is_published,
    is_best_pearson,
    is_best_spearman

from {{ ref('weight_correlations') }}
