-- Is one metric better than another: correlations with the same human scores, two at a time.
select
    corpus,
    judgment_set,
    method,
    reference_set,
    system_set,
    metric_a,
    metric_b,
    n_systems,
    n_sentences,
    pearson_a,
    pearson_b,
    pearson_a - pearson_b as difference,
    pearson_between,
    williams_p,
    perm_both_p,
    cluster_a,
    cluster_b

from {{ ref('metric_significance') }}
