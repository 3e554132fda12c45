-- How metrics order pairs of texts: counts and coefficients over all source sentences, one row per
-- question of outcome_counts, corpus, experiment, metric and stratum.
with

comparable as (

    select
        corpus,
        count(*) as n_pairs

    from {{ ref('comparable_pairs') }}
    group by all

),

sums as (

    select
        counts.question,
        counts.corpus,
        counts.experiment,
        counts.metric,
        counts.stratum,
        count(*) as n_sentences,
        sum(counts.n_pairs)::bigint as n_pairs,
        sum(counts.n_concordant)::bigint as n_concordant,
        sum(counts.n_discordant)::bigint as n_discordant,
        sum(counts.n_tied)::bigint as n_tied,
        -- Effective sample size of clusters of unequal size (Kish 1965).
        sum(counts.n_pairs) ** 2 / sum(counts.n_pairs ** 2) as n_effective,
        {{ exact_mean('(counts.n_concordant - counts.n_discordant) / counts.n_pairs', '1.0') }}
            as tau_macro,
        {{ exact_sum('counts.sum_delta', 'units.unit') }} / sum(counts.n_pairs) as mean_delta,
        {{ exact_sum('counts.sum_bias', '1.0') }} / sum(counts.n_pairs) as position_bias,
        sum(counts.valid_changes_more)::bigint as valid_changes_more,
        sum(counts.corrupted_changes_more)::bigint as corrupted_changes_more

    from {{ ref('outcome_counts') }} as counts
    left join {{ ref('score_units') }} as units using (metric)
    group by all

)

select
    sums.*,
    if(
        sums.question = 'corrupted_edits',
        0.5 + (sums.valid_changes_more - sums.corrupted_changes_more) / (2 * sums.n_pairs),
        null
    ) as change_agreement,
    (sums.n_concordant - sums.n_discordant) / sums.n_pairs as kendall_tau_a,
    sums.n_concordant / sums.n_pairs as strict_accuracy,
    (sums.n_concordant + sums.n_tied / 2) / sums.n_pairs as pairwise_accuracy,
    1 - 2 * sums.n_discordant / sums.n_pairs as kendall_tau_maege,
    (sums.n_concordant - sums.n_discordant) / nullif(sums.n_concordant + sums.n_discordant, 0)
        as goodman_kruskal_gamma,
    (sums.n_concordant - sums.n_discordant)
    / nullif(sqrt(sums.n_pairs * (sums.n_concordant + sums.n_discordant)), 0) as kendall_tau_b,
    sums.n_tied / sums.n_pairs as tied_share,
    if(sums.question = 'all_pairs', sums.n_pairs / comparable.n_pairs, null) as pair_coverage,
    -- A metric that scores few pairs may have scored the easy ones. A self-referenced metric knows
    -- the end of the chain.
    case
        when sums.question != 'all_pairs' then null
        when starts_with(sums.metric, 'chance_') then 'chance'
        when {{ is_self_referenced('sums.metric', 'lattices.references_mode') }}
            then 'self-referenced'
        when sums.n_pairs / comparable.n_pairs < {{ var('least_pair_coverage') }} then 'few pairs'
    end as no_rank

from sums
left join comparable using (corpus)
left join {{ source('raw', 'lattices') }} as lattices using (corpus)
