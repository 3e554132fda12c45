-- What a valid correction of each error type does to the score: negative means that the metric
-- punishes it. Beside it how far the references agree with edits of the type, whatever the metric.
with

deltas as (

    select * from {{ ref('mean_type_deltas') }}

),

shared as (

    select
        corpus,
        mode,
        error_type,
        avg((made_by not in ('untouched', 'otherwise'))::integer) as shared_edits,
        avg((made_by = 'otherwise')::integer) as grouped_edits

    from {{ ref('edit_makers') }}
    group by all

)

select
    deltas.corpus,
    deltas.mode,
    deltas.pair_rule,
    deltas.metric,
    deltas.error_type,
    deltas.n_pairs,
    deltas.n_sentences,
    deltas.mean_delta,
    deltas.too_few,
    deltas.ci_low,
    deltas.ci_high,
    deltas.p_value,
    deltas.q_value,
    deltas.n_concordant,
    deltas.n_discordant,
    deltas.n_tied,
    deltas.lattices_from,
    deltas.references_mode,
    shared.shared_edits,
    shared.grouped_edits

from deltas
left join shared
    on
        deltas.corpus = shared.corpus
        and deltas.mode = shared.mode
        and deltas.error_type = shared.error_type
