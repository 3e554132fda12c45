-- The edits of all annotators of a set for each sentence, as one list. NULL is an annotator without
-- a line. If no annotator has a line, the first one counts as having changed nothing, as in the M2
-- scorer. `gold` marks annotators who saw no error, in contrast to those who did not annotate the
-- sentence. `typed_gold` has ERRANT's types: the file's own, or those that ERRANT extracts from the
-- corrected text; as in ERRANT, an annotator who changes nothing then has no line. A sentence that
-- no annotator annotated has no row.
with

edits as (

    select
        *,
        -- Scorers ignore edits of these types as uncorrected errors, but these edits have a
        -- correction.
        if(
            error_type in ('UNK', 'Um'),
            case when start_token = end_token then 'M' when correction = '' then 'U' else 'R' end
            || ':OTHER',
            error_type
        ) as gold_type

    from {{ ref('annotated_edits') }}

),

requests as (

    select * from {{ ref('edit_requests') }}
    where kind = 'retyped'

),

-- In languages without ERRANT's rules, the types of the file are used.
types as (

    select
        edits.corpus,
        edits.annotation_set,
        {{ has_errant_types() }} or not any_value(extractors.has_types) as has_errant_types

    from edits
    inner join {{ source('raw', 'corpora') }} as corpora on edits.corpus = corpora.corpus
    inner join {{ ref('edit_extractor') }} as extractors on corpora.language = extractors.language
    group by edits.corpus, edits.annotation_set

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
        ) }} filter (where kind = 'correction'), '') as annotation,
        bool_or(kind = 'none' or error_type in ('UNK', 'Um')) as has_other_lines

    from edits
    group by corpus, annotation_set, annotator, sentence_id

),

retyped as (

    select
        requests.corpus,
        requests.annotation_set,
        requests.annotator,
        requests.sentence_id,
        reference_edits.annotation

    from requests
    inner join {{ ref('reference_edits') }} as reference_edits
        using (extractor_key, source_text_id, target_text_id)

),

placed as (

    select
        answers.corpus,
        answers.annotation_set,
        answers.position,
        answers.sentence_id,
        answers.has_line,
        answers.is_asked,
        annotations.annotation,
        case
            when retyped.annotation <> '' then retyped.annotation
            when types.has_errant_types then annotations.annotation
            when annotations.has_other_lines then ''
        end as typed_annotation

    from {{ ref('annotator_answers') }} as answers
    inner join types using (corpus, annotation_set)
    left join annotations using (corpus, annotation_set, annotator, sentence_id)
    left join retyped using (corpus, annotation_set, annotator, sentence_id)

),

completed as (

    select
        * replace (
            case
                when annotation is not null then annotation
                when position > 0 then null
                when count(annotation) over of_sentence = 0 then ''
            end as annotation,
            case
                when typed_annotation is not null then typed_annotation
                when position > 0 then null
                when count(typed_annotation) over of_sentence = 0 then ''
            end as typed_annotation
        ),
        bool_or(is_asked) over of_sentence as is_anybody_asked

    from placed
    window of_sentence as (partition by corpus, annotation_set, sentence_id)

),

marked as (

    select
        *,
        if(
            is_asked and not has_line and annotation is null, {{ silent_annotation() }}, annotation
        ) as marked_annotation,
        if(
            is_asked and not has_line and typed_annotation is null,
            {{ silent_annotation() }},
            typed_annotation
        ) as marked_typed_annotation

    from completed
    where is_anybody_asked

),

listed as (

    select
        corpus,
        annotation_set,
        sentence_id,
        list(annotation order by position) as annotations,
        list(marked_annotation order by position) as gold,
        list(marked_typed_annotation order by position) as typed_gold

    from marked
    group by corpus, annotation_set, sentence_id

)

select
    corpus,
    annotation_set,
    sentence_id,
    annotations,
    gold,
    typed_gold,
    {{ annotations_key('gold') }} as gold_key,
    {{ annotations_key('typed_gold') }} as typed_gold_key

from listed
