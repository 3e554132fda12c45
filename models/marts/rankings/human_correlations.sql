-- How every metric's scores of systems correlate with the judges', with chance beside it.
select
    corpus,
    judgment_set,
    method,
    reference_set,
    sentence_set,
    system_set,
    metric,
    n_systems,
    pearson_r,
    pearson_ci_low,
    pearson_ci_high,
    pearson_p,
    spearman_rho,
    spearman_ci_low,
    spearman_ci_high,
    spearman_p,
    n_samples,
    soft_pairwise_accuracy

from {{ ref('human_metric_correlations') }}
-- Metrics that were looked at and have nothing to say have a row without a name.
where metric is not null
