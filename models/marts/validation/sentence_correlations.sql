-- Agreement of each metric with the order of corrections of the same sentence (tau), and with
-- MAEGE's gold scores over all sentences (r).
with

sentence_taus as (

    select
        *,
        (n_concordant - n_discordant) / n_pairs as kendall_tau_a

    from {{ ref('outcome_counts') }}
    where question = 'all_pairs'

),

pair_counts as (

    select
        corpus,
        mode,
        experiment,
        metric,
        count(*) as n_sentences,
        sum(n_concordant)::bigint as n_concordant,
        sum(n_discordant)::bigint as n_discordant,
        sum(n_tied)::bigint as n_tied,
        sum(n_pairs)::bigint as n_pairs,
        -- Of so many sentences with equally many pairs tau would be as sure (Kish 1965).
        sum(n_pairs) ** 2 / sum(n_pairs ** 2) as n_effective,
        {{ exact_mean('kendall_tau_a', '1.0') }} as tau_macro

    from sentence_taus
    group by all

),

chain_counts as (

    select
        corpus,
        mode,
        count(*) as n_chains

    from {{ ref('lattice_chains') }}
    group by all

),

estimates as (

    select * from {{ ref('lattice_estimates') }}

),

taus as (

    select
        *,
        (n_concordant - n_discordant) / n_pairs as kendall_tau_a,
        n_concordant / n_pairs as strict_accuracy,
        (n_concordant + n_tied / 2) / n_pairs as pairwise_accuracy,
        1 - 2 * n_discordant / n_pairs as kendall_tau_maege,
        (n_concordant - n_discordant) / nullif(n_concordant + n_discordant, 0)
            as goodman_kruskal_gamma,
        (n_concordant - n_discordant)
        / nullif(sqrt(n_pairs * (n_concordant + n_discordant)), 0) as kendall_tau_b

    from pair_counts

)

select
    taus.corpus,
    taus.mode,
    taus.experiment,
    taus.metric,
    chain_counts.n_chains,
    estimates.n_nodes,
    taus.n_sentences,
    taus.n_effective,
    taus.n_pairs,
    taus.n_concordant,
    taus.n_discordant,
    taus.n_tied,
    estimates.too_few,
    taus.kendall_tau_a,
    estimates.kendall_tau_a_low as ci_low,
    estimates.kendall_tau_a_high as ci_high,
    shares.tied_share,
    taus.strict_accuracy,
    taus.pairwise_accuracy,
    estimates.chance_p_value,
    estimates.chance_q_value,
    estimates.n_resamples,
    -- The interval of kendall_tau_a holds 0 where the p-value is larger, and nowhere else.
    case
        when estimates.chance_p_value > 1 - {{ var('confidence_level') }}
            then 'not better than chance'
        when estimates.chance_p_value is not null
            then if(taus.kendall_tau_a > 0, 'better than chance', 'worse than chance')
    end as verdict,
    taus.kendall_tau_maege,
    taus.kendall_tau_b,
    estimates.kendall_tau_b_low as tau_b_ci_low,
    estimates.kendall_tau_b_high as tau_b_ci_high,
    taus.goodman_kruskal_gamma,
    estimates.goodman_kruskal_gamma_low as gamma_ci_low,
    estimates.goodman_kruskal_gamma_high as gamma_ci_high,
    taus.tau_macro,
    estimates.tau_macro_low as macro_ci_low,
    estimates.tau_macro_high as macro_ci_high,
    shares.pair_coverage,
    estimates.rank,
    estimates.rank_low,
    estimates.rank_high,
    estimates.n_ranked,
    estimates.n_common_pairs,
    coalesce(shares.no_rank, if(estimates.rank is null, 'too few', null)) as no_rank,
    {{ defined(
        by_mode('taus.mode', 'estimates.characters_r', 'estimates.tokens_r')
    ) }} as pearson_r,
    estimates.pooled_low as pearson_ci_low,
    estimates.pooled_high as pearson_ci_high,
    estimates.within_r as within_sentence_r,
    estimates.within_low as within_sentence_ci_low,
    estimates.within_high as within_sentence_ci_high,
    estimates.partial_r,
    estimates.partial_low as partial_ci_low,
    estimates.partial_high as partial_ci_high,
    {{ defined('estimates.tokens_r') }} as pearson_r_tokens,
    {{ defined('estimates.characters_r') }} as pearson_r_characters,
    {{ lattice_origin('lattices_from', 'taus') }},
    {{ lattice_origin('references_mode', 'taus') }}

from taus
inner join chain_counts using (corpus, mode)
inner join estimates
    on
        taus.corpus = estimates.corpus
        and taus.mode = estimates.mode
        and taus.experiment = estimates.experiment
        and taus.metric = estimates.metric
inner join {{ ref('tau_shares') }} as shares
    on
        taus.corpus = shares.corpus
        and taus.mode = shares.mode
        and taus.experiment = shares.experiment
        and taus.metric = shares.metric
