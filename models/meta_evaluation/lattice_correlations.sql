-- Agreement of each metric with the order of corrections of the same sentence (tau), and with
-- MAEGE's gold scores over all sentences (r).
with

pair_counts as (

    select
        corpus,
        mode,
        experiment,
        metric,
        sum(concordant)::bigint as concordant,
        sum(discordant)::bigint as discordant,
        sum(tied)::bigint as tied

    from {{ ref('sentence_pair_counts') }}
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

pearson as (

    select * from {{ ref('chain_correlations') }}

),

intervals as (

    select * from {{ ref('tau_intervals') }}

),

places as (

    select * from {{ ref('tau_places') }}

),

taus as (

    select
        *,
        concordant + discordant + tied as n_pairs,
        1 - 2 * discordant / (concordant + discordant + tied) as kendall_tau,
        (concordant - discordant) / nullif(concordant + discordant, 0) as decisive_tau

    from pair_counts

)

select
    taus.corpus,
    taus.mode,
    taus.experiment,
    taus.metric,
    chain_counts.n_chains,
    pearson.n_nodes,
    taus.n_pairs,
    taus.concordant,
    taus.discordant,
    taus.tied,
    taus.kendall_tau,
    {{ defined('kendall_p(taus.concordant, taus.discordant, taus.tied)') }} as kendall_p,
    {{ defined('intervals.ci_low') }} as ci_low,
    {{ defined('intervals.ci_high') }} as ci_high,
    taus.decisive_tau,
    {{ defined('intervals.decisive_ci_low') }} as decisive_ci_low,
    {{ defined('intervals.decisive_ci_high') }} as decisive_ci_high,
    places.tied_share,
    places.pair_coverage,
    places.place,
    places.decisive_place,
    places.n_places,
    places.n_common_pairs,
    places.no_place,
    {{ defined(
        "if(taus.mode = 'as_published', pearson.characters_r, pearson.tokens_r)"
    ) }} as pearson_r,
    {{ defined(
        "if(taus.mode = 'as_published', pearson.characters_p, pearson.tokens_p)"
    ) }} as pearson_p,
    {{ defined('pearson.tokens_r') }} as pearson_r_tokens,
    {{ defined('pearson.tokens_p') }} as pearson_p_tokens,
    {{ defined('pearson.characters_r') }} as pearson_r_characters,
    {{ defined('pearson.characters_p') }} as pearson_p_characters,
    {{ lattices_from('taus') }}

from taus
inner join chain_counts
    on
        taus.corpus = chain_counts.corpus
        and taus.mode = chain_counts.mode
inner join pearson
    on
        taus.corpus = pearson.corpus
        and taus.mode = pearson.mode
        and taus.experiment = pearson.experiment
        and taus.metric = pearson.metric
inner join intervals
    on
        taus.corpus = intervals.corpus
        and taus.mode = intervals.mode
        and taus.experiment = intervals.experiment
        and taus.metric = intervals.metric
inner join places
    on
        taus.corpus = places.corpus
        and taus.mode = places.mode
        and taus.experiment = places.experiment
        and taus.metric = places.metric
