-- The edits that lattices are made of.
with

edits as (

    select * from {{ ref('annotation_edits') }}
    where is_in_lattice

)

select
    corpus,
    mode,
    sentence_id,
    annotator,
    annotation_id,
    edit_index,
    edit_bit,
    start_token,
    end_token,
    error_type,
    correction,
    {{ lattices_from('edits') }}

from edits
