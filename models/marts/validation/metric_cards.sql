-- One row per metric and fact, for `maege card`. `facts` lists the facts: the
-- section, the relation with its filter, and an expression for each column that is not NULL.
-- Facts with `is_ranked` are ranked by their value; `no_rank` says why a metric has no rank.
{%- set tau = {'section': 'sentence', 'from': 'lattice_metrics', 'condition': 'experiment',
    'item': "'chains'", 'n': 'n_pairs'} %}
{%- set random_orders = {'chance_low': 'chance_low', 'chance_high': 'chance_high'} %}
{%- set interval = {'ci_low': 'ci_low', 'ci_high': 'ci_high'} %}
{%- set comparison = {'from': 'compared', 'metric': 'compared_metric', 'item': 'other_metric',
    'measure': "'tau_difference'", 'condition': 'coalesce(error_type, experiment)',
    'value': 'sign * difference', 'ci_low': 'if(sign = 1, ci_low, -ci_high)',
    'ci_high': 'if(sign = 1, ci_high, -ci_low)', 'p_value': 'p_value', 'q_value': 'q_value',
    'n': 'n_sentences', 'text': 'verdict'} %}
{%- set facts = [
    {'section': 'reads', 'from': ref('metrics'), 'where': 'is_selected',
        'corpus': 'null', 'item': "'inputs'", 'text': 'inputs'},
    {'section': 'reads', 'from': ref('metrics'), 'where': 'is_selected',
        'corpus': 'null', 'item': "'direction'",
        'text': "if(higher_is_better, 'higher is better', 'lower is better')"},
    {'section': 'reads', 'from': ref('metrics'), 'where': 'is_selected',
        'corpus': 'null', 'item': "'signature'", 'text': 'signature'},
    {'section': 'coverage', 'from': ref('metric_availability'), 'item': "'inputs'",
        'measure': "'share_scored'", 'value': 'n_scores / nullif(n_requests, 0)',
        'n': 'n_requests', 'text': "reason || coalesce('. ' || remedy, '')"},
    {'section': 'corpus', 'from': 'ranked_corpora', 'item': "'corpora'",
        'measure': "'spearman_rho_median'", 'condition': 'experiment', 'value': 'draws_median',
        'draws_low': 'draws_low', 'draws_high': 'draws_high', 'n': 'n_draws',
        'is_ranked': 'is_ranked', 'no_rank': 'no_rank'},
    dict(random_orders, section='corpus', item="'corpora'", measure="'spearman_rho_chance'",
        from=ref('corpus_correlations'), condition='experiment',
        value='chance_median', q_value='chance_q_value', n='n_resamples'),
    dict(tau, measure="'kendall_tau_a'", value='kendall_tau_a', rank='rank', n_ranked='n_ranked',
        text='no_rank', **interval),
    dict(tau, measure="'chance_p_value'", value='chance_p_value', p_value='chance_p_value',
        q_value='chance_q_value', text='verdict'),
    dict(tau, measure="'tied_share'", value='tied_share'),
    dict(tau, measure="'strict_accuracy'", value='strict_accuracy'),
    dict(tau, measure="'pairwise_accuracy'", value='pairwise_accuracy'),
    dict(tau, measure="'pearson_r'", value='pearson_r', ci_low='pearson_ci_low', n='n_nodes',
        ci_high='pearson_ci_high', is_ranked='is_ranked', no_rank='no_rank'),
    dict(interval, section='error_types', item='error_type', measure="'mean_delta'",
        where="pair_rule = 'adjacent'", from=ref('type_deltas'),
        condition="'random_source'", value='mean_delta', q_value='q_value', n='n_pairs',
        is_ranked='too_few is null', no_rank='too_few'),
    dict(interval, section='edit', item="coalesce(error_type, 'all')",
        measure="'agreement'", from='corrupted_edits', condition="'origin_source'",
        value='agreement', p_value='chance_p_value', q_value='chance_q_value', n='n_pairs',
        is_ranked="not starts_with(metric, 'chance_') and no_rank is null", no_rank='no_rank'),
    {'section': 'adversarial', 'from': ref('adversarial_scores'), 'item': 'system',
        'measure': "'corpus_score'", 'reference_set': 'reference_set', 'value': 'corpus_score',
        'n': 'n_beaten', 'rank': 'rank', 'n_ranked': 'n_systems'},
    dict(random_orders, section='system', from='judged_systems', item='judgment_set',
        measure="'pearson_r'", condition='method', reference_set='reference_set',
        value='pearson_r', ci_low='pearson_ci_low', ci_high='pearson_ci_high', n='n_systems',
        p_value='pearson_p_value', q_value='pearson_q_value',
        is_ranked="not starts_with(metric, 'chance_') and too_few is null"),
    {'section': 'references', 'from': 'adjusted', 'item': 'estimator', 'measure': "'adjustment'",
        'reference_set': 'reference_set', 'value': 'adjustment', 'n': 'n_references'},
    dict(interval, section='references', from=ref('perfect_corrector_scores'), corpus='null',
        item='corpus', where="corrector = 'perfect' and n_references = 2",
        measure="'perfect_score'", reference_set='reference_set', value='score',
        n='n_references'),
    dict(interval, section='references', from=ref('references_needed'), item='measure',
        where="metric is not null and measure = 'pairs' and target_share = 0.95",
        measure="'references_needed'", reference_set='reference_set', value='n_references'),
    dict(comparison, section='comparisons', where="level = 'sentence'"),
    dict(comparison, section='type_comparisons', where="level = 'edit'"),
] %}
with

lattice_metrics as (

    select
        *,
        coalesce(no_rank, '') not in ('few pairs', 'chance', 'self-referenced') as is_ranked

    from {{ ref('sentence_correlations') }}

),

ranked_corpora as (

    select
        draws.*,
        metrics.is_ranked,
        metrics.no_rank

    from {{ ref('corpus_correlations') }} as draws
    inner join lattice_metrics as metrics using (corpus, experiment, metric)

),

corrupted_edits as (

    select
        agreement.*,
        coalesce(agreement.too_few, metrics.no_rank) as no_rank

    from {{ ref('corrupted_edit_agreement') }} as agreement
    left join lattice_metrics as metrics
        on
            agreement.corpus = metrics.corpus
            and agreement.metric = metrics.metric
            and metrics.experiment = 'origin_source'
            and metrics.no_rank = 'self-referenced'

),

judged_systems as (

    select * from {{ ref('human_correlations') }}
    where
        sentence_set = 'judged'
        and system_set in ('base', 'all')
        and resampled = 'both'
        and pearson_r is not null
    -- `all` includes outputs such as INPUT, which make every metric look better.
    qualify
        system_set = if(
            bool_or(system_set = 'base') over (partition by corpus, judgment_set), 'base', 'all'
        )

),

compared as (

    select
        differences.*,
        sides.sign,
        if(sides.sign = 1, differences.metric_a, differences.metric_b) as compared_metric,
        if(sides.sign = 1, differences.metric_b, differences.metric_a) as other_metric,
        case
            when coalesce(metrics_a.no_rank, metrics_b.no_rank) is not null then 'not judged'
            when differences.q_value is null then 'not judged'
            when differences.q_value >= 0.05 then 'statistically tied'
            when (differences.direction = 'a') = (sides.sign = 1) then 'better'
            else 'worse'
        end as verdict

    from {{ ref('metric_comparisons') }} as differences
    inner join lattice_metrics as metrics_a
        on
            differences.corpus = metrics_a.corpus
            and differences.experiment = metrics_a.experiment
            and differences.metric_a = metrics_a.metric
    inner join lattice_metrics as metrics_b
        on
            differences.corpus = metrics_b.corpus
            and differences.experiment = metrics_b.experiment
            and differences.metric_b = metrics_b.metric
    cross join (values (1), (-1)) as sides (sign)
    where
        differences.measure = 'kendall_tau_a'
        and (differences.level = 'sentence' or differences.q_value is not null)

),

adjusted as (

    select
        corpus,
        metric,
        estimator,
        reference_set,
        -- Sums of decimals do not depend on the order of rows.
        avg((adjusted_score - corpus_score)::decimal(18, 12)) as adjustment,
        max(n_references) as n_references

    from {{ ref('adjusted_scores') }}
    where n_predicted is null
    group by corpus, metric, estimator, reference_set

),

facts as (
    {{ card_facts(facts) }}
)

select
    metric,
    section,
    corpus,
    item,
    measure,
    condition,
    reference_set,
    value,
    ci_low,
    ci_high,
    draws_low,
    draws_high,
    chance_low,
    chance_high,
    p_value,
    q_value,
    n,
    if(is_ranked, rank() over by_value, rank) as rank,
    if(is_ranked, count(*) over compared_facts, n_ranked) as n_ranked,
    coalesce(text, if(not is_ranked, no_rank, null)) as text

from facts
where value is not null or section not in ('corpus', 'sentence', 'edit')
window
    -- Error types are ranked for each metric, metrics for everything else.
    compared_facts as (
        partition by
            section, corpus, measure, condition, reference_set, is_ranked,
            if(section = 'error_types', metric, item)
    ),
    by_value as (compared_facts order by value desc)
