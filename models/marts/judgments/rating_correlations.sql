-- How metrics and chance follow ratings.
select
    judgment_set,
    task,
    aspect,
    level,
    corpus,
    reference_set,
    metric,
    n,
    n_items,
    pearson_r,
    spearman_rho,
    kendall_tau_b,
    n_pairs,
    n_concordant,
    n_discordant,
    n_tied,
    accuracy,
    acc_eq,
    epsilon,
    ci_low,
    ci_high,
    ceiling,
    pearson_r > ceiling as above_ceiling,
    too_few

from {{ ref('rating_agreement') }}
