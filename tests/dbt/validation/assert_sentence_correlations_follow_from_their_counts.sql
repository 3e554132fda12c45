-- The concordant, discordant and tied pairs are all comparable pairs, and tau is one minus twice
-- the discordant share. discordant_pairs lists each discordant pair of a metric, except chance
-- baselines. A user metric with missing scores has fewer pairs.
with

correlations as (

    select * from {{ ref('sentence_correlations') }}

),

pairs as (

    select
        corpus,
        count(*) as n_pairs

    from {{ ref('comparable_pairs') }}
    group by all

),

positions as (

    select
        corpus,
        count(*) as n_nodes,
        count(distinct chain_id) as n_chains

    from {{ ref('chain_nodes') }}
    group by all

),

incomplete as (

    select distinct metric from {{ ref('unscored_pairs') }}

),

directions as (

    select distinct
        metric,
        direction

    from {{ ref('metric_registry') }}

),

discordant as (

    select
        pairs.corpus,
        pairs.experiment,
        pairs.metric,
        count(*) filter (
            where
            pairs.delta < 0
            and directions.direction * (pairs.lower_score - pairs.upper_score) > 0
        ) as n_discordant

    from {{ ref('discordant_pairs') }} as pairs
    inner join directions on pairs.metric = directions.metric
    group by all

)

select
    correlations.corpus,
    correlations.experiment,
    correlations.metric,
    correlations.n_concordant,
    correlations.n_discordant,
    correlations.n_tied,
    correlations.n_pairs,
    pairs.n_pairs as comparable_pairs,
    correlations.kendall_tau_a,
    correlations.pairwise_accuracy,
    correlations.kendall_tau_maege,
    correlations.goodman_kruskal_gamma

from correlations
left join pairs
    on
        correlations.corpus = pairs.corpus
left join positions
    on
        correlations.corpus = positions.corpus
left join discordant
    on
        correlations.corpus = discordant.corpus
        and correlations.experiment = discordant.experiment
        and correlations.metric = discordant.metric
left join incomplete on correlations.metric = incomplete.metric
where
    correlations.n_concordant + correlations.n_discordant + correlations.n_tied
    <> correlations.n_pairs
    or (
        incomplete.metric is null
        and (
            pairs.n_pairs is distinct from correlations.n_pairs
            or positions.n_nodes is distinct from correlations.n_nodes
        )
    )
    or positions.n_chains is distinct from correlations.n_chains
    or (
        not starts_with(correlations.metric, 'chance_')
        and coalesce(discordant.n_discordant, 0) <> correlations.n_discordant
    )
    or abs(
        correlations.kendall_tau_a * correlations.n_pairs
        - (correlations.n_concordant - correlations.n_discordant)
    ) > 1e-6
    or abs(2 * correlations.pairwise_accuracy - 1 - correlations.kendall_tau_a) > 1e-12
    or abs(
        correlations.strict_accuracy + correlations.tied_share / 2 - correlations.pairwise_accuracy
    ) > 1e-12
    -- Verdicts that contradict the interval.
    or (
        correlations.verdict = 'not better than chance'
        and not (correlations.ci_low <= 0 and correlations.ci_high >= 0)
    )
    or (
        correlations.verdict <> 'not better than chance'
        and correlations.ci_low <= 0
        and correlations.ci_high >= 0
    )
    or abs(
        correlations.kendall_tau_maege * correlations.n_pairs
        - (correlations.n_pairs - 2 * correlations.n_discordant)
    ) > 1e-6
    or abs(
        correlations.goodman_kruskal_gamma * (correlations.n_concordant + correlations.n_discordant)
        - (correlations.n_concordant - correlations.n_discordant)
    ) > 1e-6
