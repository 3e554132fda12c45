-- Reference text made from M2: all edits of each annotator applied; the source without edits; no
-- row if the annotator did not annotate the sentence. Of overlapping edits the longest is applied,
-- of equally long ones the first, as in `without_overlaps` (analysis/lattices.py): an
-- edit that covers others repeats their corrections. An excluded edit blocks no other edit. As in
-- lattices, a deletion at an end leaves a space.
{% set span -%}
    struct_pack(start_token := located.start_token, end_token := located.end_token)
{%- endset %}
{% set is_free -%}
    (len(list_filter(
        walked.taken,
        lambda span:
            located.start_token < span['end_token'] and span['start_token'] < located.end_token
    )) = 0)
{%- endset %}
with recursive

-- Includes sets of lattices, whose annotators may be references as texts only.
annotation_sets as (

    select
        corpus,
        annotation_set
    from {{ source('raw', 'reference_sets') }}
    where not has_texts
    union
    select
        corpus,
        annotation_set
    from {{ source('raw', 'lattices') }}

),

answers as (

    select * from {{ ref('annotator_answers') }}
    where is_asked

),

annotations as (

    select
        answers.corpus,
        answers.annotation_set,
        answers.annotator,
        answers.sentence_id,
        {{ natural_key([
            'answers.corpus', 'answers.annotation_set', 'answers.annotator', 'answers.sentence_id'
        ]) }} as unit_id,
        sentences.tokens

    from annotation_sets
    inner join answers using (corpus, annotation_set)
    inner join {{ ref('usable_sentences') }} as sentences using (corpus, sentence_id)

),

edits as (

    select * from {{ ref('annotated_edits') }}
    where kind = 'correction'

),

located as (

    select
        annotations.unit_id,
        edits.start_token,
        edits.end_token,
        edits.correction,
        edits.edit_index as application_order,
        row_number() over (
            partition by annotations.unit_id
            order by edits.end_token - edits.start_token desc, edits.edit_index
        ) as place

    from annotations
    inner join edits
        on
            annotations.corpus = edits.corpus
            and annotations.annotation_set = edits.annotation_set
            and annotations.annotator = edits.annotator
            and annotations.sentence_id = edits.sentence_id
            and edits.out_of_range is null

),

-- One edit per annotation in each step, because its application depends on the previous edits.
walked as (

    select
        located.unit_id,
        located.place,
        true as is_applied,
        [{{ span }}] as taken

    from located
    where located.place = 1
    union all
    select
        located.unit_id,
        located.place,
        {{ is_free }} as is_applied,
        if({{ is_free }}, list_append(walked.taken, {{ span }}), walked.taken) as taken

    from walked
    inner join located on walked.unit_id = located.unit_id and walked.place + 1 = located.place

),

applied as (

    select
        located.unit_id,
        {{ listed_edits('located', 'located.application_order') }} as edits

    from located
    inner join walked using (unit_id, place)
    where walked.is_applied
    group by located.unit_id

),

annotations_with_edits as (

    select
        annotations.*,
        coalesce(applied.edits, []) as edits

    from annotations
    left join applied using (unit_id)

)

select
    corpus,
    annotation_set,
    annotator,
    sentence_id,
    {{ corrected_text('tokens', 'edits') }} as text

from annotations_with_edits
