-- Coefficients lie in -1 to 1, p-values in 0 to 1 and not above their q-values. Lower bounds are
-- not above upper bounds, and ranks lie in their ranges. A bootstrap interval need not contain its
-- estimate. The range over draws contains its median and its first draw.
with

bounded as (

    select
        unnest([
            spearman_rho, pearson_r, draws_median, draws_low, draws_high, draws_min, draws_max,
            chance_low, chance_high
        ]) as coefficient,
        unnest([chance_p_value, chance_q_value]) as p
    from {{ ref('corpus_correlations') }}
    union all
    select
        unnest([
            kendall_tau_a, ci_low, ci_high, kendall_tau_maege,
            goodman_kruskal_gamma, gamma_ci_low, gamma_ci_high,
            kendall_tau_b, tau_b_ci_low, tau_b_ci_high, tau_macro, macro_ci_low, macro_ci_high,
            pearson_r, pearson_ci_low, pearson_ci_high,
            within_sentence_r, partial_r, pearson_r_tokens, pearson_r_characters
        ]) as coefficient,
        unnest([chance_p_value, chance_q_value]) as p
    from {{ ref('sentence_correlations') }}

),

ordered as (

    select [draws_min, draws_low, draws_median, draws_high, draws_max] as ascending
    from {{ ref('corpus_correlations') }}
    union all
    select [draws_min, spearman_rho, draws_max] as ascending
    from {{ ref('corpus_correlations') }}
    union all
    select
        unnest([
            [ci_low, ci_high], [gamma_ci_low, gamma_ci_high], [tau_b_ci_low, tau_b_ci_high],
            [macro_ci_low, macro_ci_high], [pearson_ci_low, pearson_ci_high],
            [within_sentence_ci_low, within_sentence_ci_high], [partial_ci_low, partial_ci_high],
            [chance_p_value, chance_q_value], [0, strict_accuracy, pairwise_accuracy, 1],
            [1, rank_low, rank_high, n_ranked], [1, rank, n_ranked]
        ]) as ascending
    from {{ ref('sentence_correlations') }}
    union all
    select unnest([[ci_low, ci_high], [p_value, q_value]]) as ascending
    from {{ ref('type_deltas') }}
    union all
    select unnest([[ci_low, ci_high], [chance_p_value, chance_q_value]]) as ascending
    from {{ ref('corrupted_edit_agreement') }}
    union all
    select unnest([[0, agreement, 1], [0, ci_low, ci_high, 1], [-1, position_bias, 1]]) as ascending
    from {{ ref('step_preferences') }}
    union all
    select [ci_low, ci_high] as ascending
    from {{ ref('system_scores') }}

),

-- On a corpus of few sentences a single draw may have no correlation. A quantile between two equal
-- numbers may differ from both in the last bit.
defined as (

    select
        list_transform(
            list_filter(ascending, lambda bound: bound is not null),
            lambda bound: round(bound, 12)
        ) as ascending

    from ordered

)

select [coefficient, p] as impossible from bounded
where abs(coefficient) > 1 + 1e-12 or p not between 0 and 1 + 1e-12
union all
select ascending as impossible from defined
where ascending <> list_sort(ascending)
