-- What the warehouse says of each metric, a fact a row: what `maege card` prints. Mode `paper`.
with

reads as (

    select
        metric,
        'reads' as section,
        unnest(['inputs', 'direction', 'signature']) as item,
        unnest([
            inputs,
            if(higher_is_better, 'higher is better', 'lower is better'),
            signature
        ]) as text

    from {{ ref('metrics') }}
    where is_selected

),

coverage as (

    select
        metric,
        'coverage' as section,
        'inputs' as item,
        'share_scored' as measure,
        n_scores / nullif(n_requests, 0) as value,
        n_requests as n,
        corpus,
        reason || coalesce('. ' || remedy, '') as text

    from {{ ref('metric_availability') }}

),

sentence_correlations as (

    select
        *,
        coalesce(no_rank, '') not in ('few pairs', 'chance', 'self-referenced') as is_ranked

    from {{ ref('sentence_correlations') }}
    where mode = 'paper'

),

corpus_level as (

    select
        ranked.corpus,
        ranked.metric,
        'corpus_level' as section,
        'corpora' as item,
        'spearman_rho_median' as measure,
        ranked.experiment as condition,
        ranked.draws_median as value,
        ranked.draws_low,
        ranked.draws_high,
        ranked.n_draws as n,
        if(correlations.is_ranked, rank() over by_value, null) as rank,
        if(correlations.is_ranked, count(*) over by_condition, null) as n_ranked,
        if(correlations.is_ranked, null, correlations.no_rank) as text

    from {{ ref('corpus_correlations') }} as ranked
    inner join sentence_correlations as correlations using (corpus, experiment, metric)
    where ranked.mode = 'paper' and ranked.draws_median is not null
    window
        by_condition as (partition by ranked.corpus, ranked.experiment, correlations.is_ranked),
        by_value as (by_condition order by ranked.draws_median desc)

),

corpus_chance as (

    select
        corpus,
        metric,
        'corpus_level' as section,
        'corpora' as item,
        'spearman_rho_chance' as measure,
        experiment as condition,
        chance_median as value,
        chance_low,
        chance_high,
        chance_q_value as q_value,
        n_resamples as n

    from {{ ref('corpus_correlations') }}
    where mode = 'paper' and chance_median is not null

),

taus as (

    select
        corpus,
        metric,
        'kendall_tau_a' as measure,
        experiment as condition,
        kendall_tau_a as value,
        ci_low,
        ci_high,
        n_pairs as n,
        rank,
        n_ranked,
        no_rank as text

    from sentence_correlations

    union all by name

    select
        corpus,
        metric,
        'chance_p_value' as measure,
        experiment as condition,
        chance_p_value as value,
        chance_p_value as p_value,
        chance_q_value as q_value,
        n_pairs as n,
        verdict as text

    from sentence_correlations

    union all by name

    select
        corpus,
        metric,
        unnest(['tied_share', 'strict_accuracy', 'pairwise_accuracy']) as measure,
        experiment as condition,
        unnest([tied_share, strict_accuracy, pairwise_accuracy]) as value,
        n_pairs as n

    from sentence_correlations

    union all by name

    select
        corpus,
        metric,
        'pearson_r' as measure,
        experiment as condition,
        pearson_r as value,
        pearson_ci_low as ci_low,
        pearson_ci_high as ci_high,
        n_nodes as n,
        if(is_ranked, rank() over by_value, null) as rank,
        if(is_ranked, count(*) over by_condition, null) as n_ranked,
        if(is_ranked, null, no_rank) as text

    from sentence_correlations
    where pearson_r is not null
    window
        by_condition as (partition by corpus, experiment, is_ranked),
        by_value as (by_condition order by pearson_r desc)

),

sentence_level as (

    select
        *,
        'sentence_level' as section,
        'chains' as item

    from taus
    where value is not null

),

error_types as (

    select
        corpus,
        metric,
        'error_types' as section,
        error_type as item,
        'mean_delta' as measure,
        'random_source' as condition,
        mean_delta as value,
        ci_low,
        ci_high,
        q_value,
        n_pairs as n,
        if(too_few is null, rank() over by_value, null) as rank,
        if(too_few is null, count(*) over by_metric, null) as n_ranked,
        too_few as text

    from {{ ref('type_deltas') }}
    where mode = 'paper' and pair_rule = 'adjacent'
    window
        by_metric as (partition by corpus, metric, too_few is null),
        by_value as (by_metric order by mean_delta desc)

),

corrupted_agreement as (

    select
        pairs.*,
        coalesce(pairs.too_few, self_referenced.no_rank) as text,
        starts_with(pairs.metric, 'chance_')
        or coalesce(pairs.too_few, self_referenced.no_rank) is not null as is_unranked

    from {{ ref('corrupted_edit_agreement') }} as pairs
    left join sentence_correlations as self_referenced
        on
            pairs.corpus = self_referenced.corpus
            and pairs.metric = self_referenced.metric
            and self_referenced.experiment = 'origin_source'
            and self_referenced.no_rank = 'self-referenced'
    where pairs.mode = 'paper' and pairs.agreement is not null

),

corrupted_edits as (

    select
        corpus,
        metric,
        'corrupted_edits' as section,
        coalesce(error_type, 'all') as item,
        'agreement' as measure,
        'origin_source' as condition,
        agreement as value,
        ci_low,
        ci_high,
        chance_p_value as p_value,
        chance_q_value as q_value,
        n_pairs as n,
        if(is_unranked, null, rank() over by_value) as rank,
        if(is_unranked, null, count(*) over by_type) as n_ranked,
        text

    from corrupted_agreement
    window
        by_type as (partition by corpus, error_type, is_unranked),
        by_value as (by_type order by agreement desc)

),

adversarial_outputs as (

    select
        corpus,
        metric,
        'adversarial' as section,
        system as item,
        'corpus_score' as measure,
        reference_set,
        corpus_score as value,
        n_beaten as n,
        rank,
        n_systems as n_ranked

    from {{ ref('adversarial_scores') }}

),

human_correlations as (

    select
        *,
        starts_with(metric, 'chance_') or too_few is not null as is_unranked

    from {{ ref('human_correlations') }}
    where
        sentence_set = 'judged'
        and system_set in ('base', 'all')
        and resampled = 'both'
        and pearson_r is not null
    -- What is judged beside the systems of `base`, such as INPUT, would flatter every metric.
    qualify
        system_set = if(
            bool_or(system_set = 'base') over (partition by corpus, judgment_set), 'base', 'all'
        )

),

human_rankings as (

    select
        corpus,
        metric,
        'human_rankings' as section,
        judgment_set as item,
        'pearson_r' as measure,
        method as condition,
        reference_set,
        pearson_r as value,
        pearson_ci_low as ci_low,
        pearson_ci_high as ci_high,
        pearson_p_value as p_value,
        pearson_q_value as q_value,
        chance_low,
        chance_high,
        n_systems as n,
        if(is_unranked, null, rank() over by_value) as rank,
        if(is_unranked, null, count(*) over by_condition) as n_ranked

    from human_correlations
    window
        by_condition as (partition by corpus, judgment_set, method, reference_set, is_unranked),
        by_value as (by_condition order by pearson_r desc)

),

compared as (

    select
        differences.*,
        metrics_a.no_rank is null and metrics_b.no_rank is null as is_judged

    from {{ ref('metric_comparisons') }} as differences
    inner join sentence_correlations as metrics_a
        on
            differences.corpus = metrics_a.corpus
            and differences.experiment = metrics_a.experiment
            and differences.metric_a = metrics_a.metric
    inner join sentence_correlations as metrics_b
        on
            differences.corpus = metrics_b.corpus
            and differences.experiment = metrics_b.experiment
            and differences.metric_b = metrics_b.metric
    where
        differences.mode = 'paper' and differences.measure = 'kendall_tau_a'
        and (differences.level = 'lattice' or differences.q_value is not null)

),

comparisons as (

    select
        corpus,
        if(level = 'lattice', 'comparisons', 'type_comparisons') as section,
        'tau_difference' as measure,
        coalesce(error_type, experiment) as condition,
        n_sentences as n,
        p_value,
        q_value,
        unnest([metric_a, metric_b]) as metric,
        unnest([metric_b, metric_a]) as item,
        unnest([difference, -difference]) as value,
        unnest([ci_low, -ci_high]) as ci_low,
        unnest([ci_high, -ci_low]) as ci_high,
        unnest(
            case
                when not is_judged or q_value is null then ['not judged', 'not judged']
                when q_value < 0.05 and direction = 'a' then ['better', 'worse']
                when q_value < 0.05 then ['worse', 'better']
                else ['not told apart', 'not told apart']
            end
        ) as text

    from compared

),

facts as (

    select * from reads
    union all by name
    select * from coverage
    union all by name
    select * from corpus_level
    union all by name
    select * from corpus_chance
    union all by name
    select * from sentence_level
    union all by name
    select * from error_types
    union all by name
    select * from corrupted_edits
    union all by name
    select * from adversarial_outputs
    union all by name
    select * from human_rankings
    union all by name
    select * from comparisons
    union all by name
    select * from {{ ref('card_references') }}

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
    n::bigint as n,
    rank::bigint as rank,
    n_ranked::bigint as n_ranked,
    text

from facts
