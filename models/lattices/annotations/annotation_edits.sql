-- The edits of every annotation that a chain or a sampled corpus uses, with one bit each. Bits are
-- numbered here, because the file also has edits without a correction.
with

annotations as (

    select * from {{ ref('lattice_annotations') }}
    where is_in_lattice or is_sampled

),

edits as (

    select * from {{ ref('annotated_edits') }}
    where kind <> 'none'

),

counted as (

    select
        annotations.corpus,
        annotations.sentence_id,
        annotations.annotator,
        annotations.annotation_id,
        annotations.is_in_lattice,
        edits.edit_index as file_index,
        edits.kind,
        row_number() over (
            partition by annotations.annotation_id order by edits.edit_index
        )::integer - 1 as edit_index,
        edits.start_token,
        edits.end_token,
        edits.error_type,
        edits.correction

    from annotations
    inner join {{ source('raw', 'lattices') }} as lattices using (corpus)
    inner join edits
        on
            lattices.corpus = edits.corpus
            and lattices.annotation_set = edits.annotation_set
            and annotations.sentence_id = edits.sentence_id
            and annotations.annotator = edits.annotator
            and {{ is_lattice_edit('lattices.corpus', 'edits.') }}

)

select
    corpus,
    sentence_id,
    annotator,
    annotation_id,
    is_in_lattice,
    file_index,
    edit_index,
    1::bigint << edit_index as edit_bit,
    start_token,
    end_token,
    error_type,
    correction,
    kind

from counted
