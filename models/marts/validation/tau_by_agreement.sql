-- How metrics take one more edit, by how many of the references that they are shown make it.
with

counts as (

    select
        corpus,
        mode,
        metric,
        stratum as made_by,
        count(*) as n_sentences,
        sum(n_pairs)::bigint as n_pairs,
        sum(n_concordant)::bigint as n_concordant,
        sum(n_discordant)::bigint as n_discordant,
        sum(n_tied)::bigint as n_tied

    from {{ ref('outcome_counts') }}
    where question = 'shared_edits'
    group by all

),

intervals as (

    select * from {{ ref('shared_edit_intervals') }}

)

select
    counts.corpus,
    counts.mode,
    counts.metric,
    counts.made_by,
    counts.n_sentences,
    counts.n_pairs,
    counts.n_concordant,
    counts.n_discordant,
    counts.n_tied,
    intervals.too_few,
    (counts.n_concordant - counts.n_discordant) / counts.n_pairs as kendall_tau_a,
    intervals.ci_low,
    intervals.ci_high,
    1 - 2 * counts.n_discordant / counts.n_pairs as kendall_tau_maege,
    (counts.n_concordant - counts.n_discordant)
    / nullif(counts.n_concordant + counts.n_discordant, 0) as goodman_kruskal_gamma,
    intervals.gamma_ci_low,
    intervals.gamma_ci_high,
    {{ lattice_origin('lattices_from', 'counts') }},
    {{ lattice_origin('references_mode', 'counts') }}

from counts
inner join intervals
    on
        counts.corpus = intervals.corpus
        and counts.mode = intervals.mode
        and counts.metric = intervals.metric
        and counts.made_by is not distinct from intervals.made_by
