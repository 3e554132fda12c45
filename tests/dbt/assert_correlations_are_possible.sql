-- Coefficients lie in -1 to 1, p-values in 0 to 1, and intervals are not upside down. A bootstrap
-- interval need not hold its estimate; the range over draws holds its median and its first draw.
with

bounded as (

    select
        unnest([
            spearman_rho, pearson_r, rho_median, rho_low, rho_high, rho_min, rho_max
        ]) as coefficient,
        unnest([spearman_p, pearson_p]) as p
    from {{ ref('corpus_correlations') }}
    union all
    select
        unnest([
            kendall_tau, ci_low, ci_high, decisive_tau, decisive_ci_low, decisive_ci_high,
            pearson_r, pearson_r_tokens, pearson_r_characters
        ]) as coefficient,
        unnest([kendall_p, pearson_p, pearson_p_tokens, pearson_p_characters]) as p
    from {{ ref('sentence_correlations') }}

),

ordered as (

    select [rho_min, rho_low, rho_median, rho_high, rho_max] as ascending
    from {{ ref('corpus_correlations') }}
    union all
    select [rho_min, spearman_rho, rho_max] as ascending
    from {{ ref('corpus_correlations') }}
    union all
    select [ci_low, ci_high] as ascending
    from {{ ref('sentence_correlations') }}
    union all
    select [decisive_ci_low, decisive_ci_high] as ascending
    from {{ ref('sentence_correlations') }}
    union all
    select [ci_low, ci_high] as ascending
    from {{ ref('type_deltas') }}
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
