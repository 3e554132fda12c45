-- Agreement of each metric with the order of corrections of the same sentence (tau), and with
-- MAEGE's gold scores over all sentences (r).
with

chain_counts as (

    select
        corpus,
        count(*) as n_chains

    from {{ ref('lattice_chains') }}
    group by all

)

select
    taus.corpus,
    taus.experiment,
    taus.metric,
    taus.experiment = 'random_source' as is_headline,
    chain_counts.n_chains,
    taus.n_nodes,
    taus.n_sentences,
    taus.n_effective,
    taus.n_pairs,
    taus.n_concordant,
    taus.n_discordant,
    taus.n_tied,
    taus.too_few,
    taus.kendall_tau_a,
    taus.ci_low,
    taus.ci_high,
    taus.tied_share,
    taus.strict_accuracy,
    taus.pairwise_accuracy,
    taus.p_value as chance_p_value,
    taus.q_value as chance_q_value,
    taus.n_resamples,
    -- The interval of kendall_tau_a contains 0 if and only if the p-value is larger.
    case
        when taus.p_value > 1 - {{ var('confidence_level') }}
            then 'not better than chance'
        when taus.p_value is not null
            then if(taus.kendall_tau_a > 0, 'better than chance', 'worse than chance')
    end as verdict,
    taus.kendall_tau_maege,
    taus.kendall_tau_b,
    taus.tau_b_ci_low,
    taus.tau_b_ci_high,
    taus.goodman_kruskal_gamma,
    taus.gamma_ci_low,
    taus.gamma_ci_high,
    taus.tau_macro,
    taus.macro_ci_low,
    taus.macro_ci_high,
    taus.pair_coverage,
    taus.rank,
    taus.rank_low,
    taus.rank_high,
    taus.n_ranked,
    taus.n_common_pairs,
    coalesce(taus.no_rank, if(taus.rank is null, 'too few', null)) as no_rank,
    {{ defined(by_run('taus.corpus', 'taus.characters_r', 'taus.tokens_r')) }} as pearson_r,
    taus.pooled_ci_low as pearson_ci_low,
    taus.pooled_ci_high as pearson_ci_high,
    taus.within_r as within_sentence_r,
    taus.within_ci_low as within_sentence_ci_low,
    taus.within_ci_high as within_sentence_ci_high,
    taus.partial_r,
    taus.partial_ci_low,
    taus.partial_ci_high,
    {{ defined('taus.tokens_r') }} as pearson_r_tokens,
    {{ defined('taus.characters_r') }} as pearson_r_characters

from {{ ref('pair_agreement') }} as taus
inner join chain_counts using (corpus)
where taus.question = 'all_pairs'
