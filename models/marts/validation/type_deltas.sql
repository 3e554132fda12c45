-- What a valid correction of each error type does to the score: negative means that the metric
-- punishes it. Beside it how far the references agree with edits of the type, whatever the metric.
with

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
    deltas.*,
    shared.shared_edits,
    shared.grouped_edits

from {{ ref('mean_type_deltas') }} as deltas
left join shared
    on
        deltas.corpus = shared.corpus
        and deltas.mode = shared.mode
        and deltas.error_type = shared.error_type
