-- The corpus of sources of each draw of the random-source experiment, both modes. The published
-- run took sentence i from one of the eleven corpora, the paper asks for any node of the lattice.
with

sampled as (

    select
        draw,
        sentence_id,
        annotation_id,
        mask

    from {{ ref('sampled_sources_paper') }}

    union all

    select
        draw,
        sentence_id,
        annotation_id,
        mask

    from {{ ref('sampled_corpora_published') }}
    where is_source

),

annotations as (

    select * from {{ ref('lattice_annotations') }}

)

select
    annotations.corpus,
    annotations.mode,
    sampled.draw,
    sampled.sentence_id,
    sampled.annotation_id,
    {{ natural_key(['sampled.annotation_id', 'sampled.mask']) }} as node_id,
    sampled.mask

from sampled
inner join annotations on sampled.annotation_id = annotations.annotation_id
