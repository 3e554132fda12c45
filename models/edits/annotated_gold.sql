-- What the annotators of a set did to each sentence, as one unit: NULL for an annotator without a
-- line. Where nobody has a line the sentence counts as left alone by the first, as the M2 scorer
-- has it.
with

annotators as (

    select * from {{ ref('annotator_positions') }}

),

sentences as (

    select * from {{ ref('usable_sentences') }}

),

edits as (

    select
        *,
        -- Programs pass over these types, as of errors that nobody corrected: these are corrected.
        if(
            error_type in ('UNK', 'Um'),
            case when start_token = end_token then 'M' when correction = '' then 'U' else 'R' end
            || ':OTHER',
            error_type
        ) as gold_type

    from {{ ref('annotated_edits') }}

),

types as (

    select
        corpus,
        annotation_set,
        coalesce(
            avg(regexp_matches(error_type, '^[MRU]:')::integer) filter (
                where kind <> 'none' and error_type <> 'UNK'
            ) >= .9,
            bool_and(kind = 'none' or (kind = 'detection' and error_type = 'UNK'))
        ) as has_errant_types

    from edits
    group by corpus, annotation_set

),

annotations as (

    select
        corpus,
        annotation_set,
        annotator,
        sentence_id,
        coalesce({{ annotation_text(
            'start_token', 'end_token', 'gold_type', "array_to_string(alternatives, chr(28))",
            'error_group', 'edit_index'
        ) }} filter (where kind = 'correction'), '') as annotation

    from edits
    group by corpus, annotation_set, annotator, sentence_id

),

placed as (

    select
        annotators.corpus,
        annotators.annotation_set,
        annotators.position,
        sentences.sentence_id,
        annotations.annotation

    from annotators
    inner join sentences on annotators.corpus = sentences.corpus
    left join annotations
        on
            annotators.corpus = annotations.corpus
            and annotators.annotation_set = annotations.annotation_set
            and annotators.annotator = annotations.annotator
            and sentences.sentence_id = annotations.sentence_id

),

completed as (

    select
        * replace (
            case
                when annotation is not null then annotation
                when position > 0 then null
                when count(annotation) over of_sentence = 0 then ''
            end as annotation
        )

    from placed
    window of_sentence as (partition by corpus, annotation_set, sentence_id)

),

listed as (

    select
        corpus,
        annotation_set,
        sentence_id,
        list(annotation order by position) as annotations

    from completed
    group by corpus, annotation_set, sentence_id

)

select
    listed.corpus,
    listed.annotation_set,
    listed.sentence_id,
    listed.annotations,
    types.has_errant_types,
    {{ annotations_key('listed.annotations') }} as gold_key

from listed
inner join types
    on
        listed.corpus = types.corpus
        and listed.annotation_set = types.annotation_set
