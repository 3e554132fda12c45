-- How metrics and chance follow ratings.
{%- set family = "judgment_set, task, aspect, level, starts_with(metric, 'chance_')" %}
with

agreements as (

    select
        *,
        {{ p_rank('p_value', family) }} as test_rank

    from {{ ref('rating_agreement') }}

)

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
    p_value,
    {{ q_value('p_value', 'test_rank', family) }} as q_value,
    ceiling,
    coalesce(pearson_r, accuracy) > ceiling as above_ceiling,
    too_few

from agreements
