-- How a valid correction of each error type changes the score: a metric with a negative mean
-- punishes it. The last two columns say how far the references agree with edits of the type.
with

shared as (

    select
        corpus,
        error_type,
        avg((made_by not in ('untouched', 'otherwise'))::integer) as shared_edits,
        avg((made_by = 'otherwise')::integer) as grouped_edits

    from {{ ref('edit_makers') }}
    group by all

)

select
    deltas.corpus,
    deltas.question as pair_rule,
    deltas.metric,
    deltas.stratum as error_type,
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
    shared.shared_edits,
    shared.grouped_edits

from {{ ref('pair_agreement') }} as deltas
left join shared
    on
        deltas.corpus = shared.corpus
        and deltas.stratum = shared.error_type
where deltas.question in ('adjacent', 'from_origin')
