-- The corpora that metrics have to rank, both modes: the subset of edits applied to each sentence.
with

sampled as (

    select
        draw,
        expected_edits,
        sentence_id,
        annotation_id,
        mask
    from {{ ref('sampled_corpora_paper') }}
    union all
    select
        draw,
        expected_edits,
        sentence_id,
        annotation_id,
        mask
    from {{ ref('sampled_corpora_published') }}

),

annotations as (

    select * from {{ ref('lattice_annotations') }}

)

select
    annotations.corpus,
    annotations.mode,
    sampled.draw,
    sampled.expected_edits,
    sampled.sentence_id,
    sampled.annotation_id,
    {{ natural_key(['sampled.annotation_id', 'sampled.mask']) }} as node_id,
    sampled.mask

from sampled
inner join annotations on sampled.annotation_id = annotations.annotation_id
