-- Every edit of every annotation set, with its bit in the masks of the lattices that contain it.
with

edits as (

    select * from {{ ref('annotated_edits') }}
    where kind <> 'none'

),

bits as (

    select
        lattices.corpus,
        lattices.annotation_set,
        edits.sentence_id,
        edits.annotator,
        edits.file_index as edit_index,
        any_value(edits.edit_bit) as edit_bit

    from {{ ref('annotation_edits') }} as edits
    inner join {{ source('raw', 'lattices') }} as lattices using (corpus)
    where edits.is_in_lattice
    group by all

)

select
    edits.corpus,
    edits.annotation_set,
    edits.annotator,
    edits.sentence_id,
    edits.edit_index,
    edits.start_token,
    edits.end_token,
    array_to_string(sentences.tokens[edits.start_token + 1:edits.end_token], ' ') as original,
    edits.correction,
    edits.error_type,
    edits.kind,
    bits.edit_bit

from edits
inner join {{ ref('usable_sentences') }} as sentences using (corpus, sentence_id)
left join bits using (corpus, annotation_set, sentence_id, annotator, edit_index)
order by edits.corpus, edits.annotation_set, edits.sentence_id, edits.annotator, edits.edit_index
