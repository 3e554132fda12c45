-- Which of two texts that differ in one edit does a metric prefer? By its scores, or by what it
-- says where it compares the two. Original as the source.
with

counts as (

    select
        corpus,
        mode,
        metric,
        stratum as error_type,
        count(*) as n_sentences,
        sum(n_pairs)::bigint as n_pairs,
        sum(n_concordant)::bigint as n_concordant,
        sum(n_discordant)::bigint as n_discordant,
        sum(n_tied)::bigint as n_tied,
        {{ exact_sum('sum_bias', '1.0') }} as sum_bias

    from {{ ref('outcome_counts') }}
    where question = 'steps'
    group by all

),

estimates as (

    select * from {{ ref('agreement_estimates') }}
    where pairs = 'steps'

)

select
    counts.corpus,
    counts.mode,
    counts.metric,
    counts.error_type,
    counts.n_pairs,
    counts.n_sentences,
    counts.n_concordant,
    counts.n_discordant,
    counts.n_tied,
    estimates.too_few,
    (counts.n_concordant + counts.n_tied / 2) / counts.n_pairs as agreement,
    estimates.ci_low,
    estimates.ci_high,
    counts.sum_bias / counts.n_pairs as position_bias,
    {{ lattice_origin('lattices_from', 'counts') }},
    {{ lattice_origin('references_mode', 'counts') }}

from counts
inner join estimates
    on
        counts.corpus = estimates.corpus
        and counts.mode = estimates.mode
        and counts.metric = estimates.metric
        and counts.error_type is not distinct from estimates.error_type
