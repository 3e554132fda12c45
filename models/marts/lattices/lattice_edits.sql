-- The edits of the annotations that lattices are made of, what corrects nothing beside them.
with

lattice_edits as (

    select * from {{ ref('annotation_edits') }}
    where is_in_lattice

),

annotations as (

    select * from {{ ref('lattice_annotations') }}
    where is_in_lattice

),

lattices as (

    select * from {{ ref('stg_corpus__lattices') }}

),

detections as (

    select
        annotations.corpus,
        annotations.mode,
        annotations.sentence_id,
        annotations.annotator,
        annotations.annotation_id,
        edits.edit_index as file_index,
        null::bigint as edit_bit,
        edits.start_token,
        edits.end_token,
        edits.error_type,
        edits.correction,
        edits.kind

    from annotations
    inner join lattices
        on
            annotations.corpus = lattices.corpus
            and annotations.mode = lattices.mode
    inner join {{ ref('annotated_edits') }} as edits
        on
            lattices.corpus = edits.corpus
            and lattices.annotation_set = edits.annotation_set
            and annotations.sentence_id = edits.sentence_id
            and annotations.annotator = edits.annotator
    where edits.kind = 'detection' and not {{ is_lattice_edit('annotations.mode', 'edits.') }}

),

edits as (

    select * exclude (edit_index, is_in_lattice) from lattice_edits
    union all by name
    select * from detections

)

select
    corpus,
    mode,
    sentence_id,
    annotator,
    annotation_id,
    file_index as edit_index,
    edit_bit,
    kind,
    start_token,
    end_token,
    error_type,
    correction,
    {{ lattices_from('edits') }}

from edits
