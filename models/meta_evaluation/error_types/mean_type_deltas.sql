-- What a valid correction of each error type does to the score: negative means that the metric
-- punishes it. Random-source experiment.
with

units as (

    select * from {{ ref('score_units') }}

),

deltas as (

    select
        of_sentences.corpus,
        of_sentences.mode,
        of_sentences.pair_rule,
        of_sentences.metric,
        of_sentences.error_type,
        count(*) as n_sentences,
        sum(of_sentences.n_pairs)::bigint as n_pairs,
        {{ exact_sum('of_sentences.sum_delta', 'units.unit') }}
        / sum(of_sentences.n_pairs) as mean_delta,
        sum(of_sentences.n_concordant)::bigint as n_concordant,
        sum(of_sentences.n_discordant)::bigint as n_discordant,
        sum(of_sentences.n_tied)::bigint as n_tied

    from {{ ref('sentence_type_deltas') }} as of_sentences
    inner join units using (metric)
    group by all

)

select
    deltas.*,
    intervals.too_few,
    intervals.ci_low,
    intervals.ci_high,
    intervals.p_value,
    intervals.q_value,
    {{ lattice_origin('lattices_from', 'deltas') }},
    {{ lattice_origin('references_mode', 'deltas') }}

from deltas
inner join {{ ref('type_delta_intervals') }} as intervals
    on
        deltas.corpus = intervals.corpus
        and deltas.mode = intervals.mode
        and deltas.pair_rule = intervals.pair_rule
        and deltas.metric = intervals.metric
        and deltas.error_type = intervals.error_type
