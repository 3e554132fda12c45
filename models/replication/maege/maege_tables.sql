-- Tables 2 to 4 of the MAEGE paper, recomputed. Corpus-level values are medians over draws, with
-- the range of the draws as their band: the published draw is lost, and another one is as good.
with

draws as (

    select * from {{ ref('corpus_draws') }}
    where corpus in ('conll14', 'conll14_published') and not is_redrawn

),

corpus_ranges as (

    select
        corpus,
        experiment,
        metric,
        median(spearman_rho) as rho,
        min(spearman_rho) as rho_low,
        max(spearman_rho) as rho_high,
        correlation_p(median(spearman_rho), any_value(n_models)) as p,
        min({{ defined('correlation_p(spearman_rho, n_models)') }}) as p_low,
        max({{ defined('correlation_p(spearman_rho, n_models)') }}) as p_high

    from draws
    group by all

),

tie_orders as (

    select * from {{ ref('published_tie_order') }}
    where corpus in ('conll14', 'conll14_published')

),

sentence_correlations as (

    select
        correlations.corpus,
        correlations.experiment,
        correlations.metric,
        correlations.pearson_r,
        -- As printed: as if positions, and pairs, were independent.
        correlation_p(correlations.pearson_r, correlations.n_nodes) as pearson_p,
        kendall_p(
            correlations.n_concordant, correlations.n_discordant, correlations.n_tied
        ) as kendall_p,
        1 - 2 * (correlations.n_discordant + coalesce(tie_orders.discordant_ties, 0))
        / correlations.n_pairs as kendall_tau

    from {{ ref('sentence_correlations') }} as correlations
    left join tie_orders
        on
            correlations.corpus = 'conll14_published'
            and correlations.experiment = tie_orders.experiment
            and correlations.metric = tie_orders.metric
    where correlations.corpus in ('conll14', 'conll14_published')

),

statistics as (

    select
        corpus,
        experiment,
        metric,
        'corpus_rho' as name,
        rho as value,
        rho_low as low,
        rho_high as high
    from corpus_ranges
    union all by name
    select
        corpus,
        experiment,
        metric,
        'corpus_rho_p' as name,
        p as value,
        p_low as low,
        p_high as high
    from corpus_ranges
    {%- for name, value in [
        ('sentence_r', 'pearson_r'),
        ('sentence_r_p', 'pearson_p'),
        ('kendall_tau', 'kendall_tau'),
        ('kendall_tau_p', 'kendall_p'),
    ] %}
        union all by name
        select
            corpus,
            experiment,
            metric,
            '{{ name }}' as name,
            {{ value }} as value
        from sentence_correlations
    {%- endfor %}

),

-- Table 2 takes a random source, Table 4 the original, with Table 2's values in parentheses.
exhibits as (

    select
        'table_2' as exhibit,
        'random_source' as experiment,
        '' as suffix
    union all
    select
        'table_4' as exhibit,
        'origin_source' as experiment,
        '' as suffix
    union all
    select
        'table_4' as exhibit,
        'random_source' as experiment,
        '_random_source' as suffix

)

select
    exhibits.exhibit,
    statistics.metric as row_label,
    statistics.name || exhibits.suffix as column_label,
    max(statistics.value) filter (where statistics.corpus = 'conll14_published') as reproduced,
    max(statistics.low) filter (where statistics.corpus = 'conll14_published') as band_low,
    max(statistics.high) filter (where statistics.corpus = 'conll14_published') as band_high,
    max(statistics.value) filter (where statistics.corpus = 'conll14') as corrected

from exhibits
inner join statistics using (experiment)
group by all

union all by name

-- The run compared every position with its chain's original; the corrected twin compares
-- neighbours, as the paper defines.
select
    'table_3' as exhibit,
    error_type as row_label,
    metric as column_label,
    max(mean_delta) filter (
        where corpus = 'conll14_published' and pair_rule = 'from_origin'
    ) as reproduced,
    max(mean_delta) filter (where corpus = 'conll14' and pair_rule = 'adjacent') as corrected

from {{ ref('type_deltas') }}
where corpus in ('conll14', 'conll14_published')
group by all
