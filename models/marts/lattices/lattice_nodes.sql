-- The corrections in chains, each a subset of one annotation's edits.
with

positions as (

    select distinct
        corpus,
        sentence_id,
        annotator,
        node_id,
        mask,
        n_edits

    from {{ ref('chain_nodes') }}

)

select
    positions.corpus,
    positions.sentence_id,
    lattices.annotation_set,
    positions.annotator,
    positions.node_id,
    positions.mask,
    positions.n_edits,
    texts.text

from positions
inner join {{ ref('node_texts') }} as texts using (node_id)
inner join {{ source('raw', 'lattices') }} as lattices
    on
        positions.corpus = lattices.corpus
order by
    positions.corpus,
    positions.sentence_id,
    positions.annotator,
    positions.mask
