-- Whether each annotator annotated each sentence, and has an edit or a no-op for it. The manifest
-- defines what a missing line means. If it does not, an annotator with a separate file saw no
-- error; in a file with several annotators, one without a line did not annotate the sentence if
-- another has a line; and if none has a line, none saw an error. A missing reference was not
-- written.
with

annotators as (

    select * from {{ source('raw', 'annotators') }}

),

-- Skipped edits count as lines.
lines as (

    select
        corpus,
        annotation_set,
        annotator,
        sentence_id,
        path
    from {{ ref('annotated_edits') }}
    union
    select
        corpus,
        annotation_set,
        annotator,
        sentence_id,
        path
    from {{ source('raw', 'm2_edits') }}
    where out_of_range is not null

),

files_of_one as (

    select
        corpus,
        annotation_set,
        path

    from lines
    group by corpus, annotation_set, path
    having count(distinct annotator) = 1

),

-- By the manifest, or because their files have no lines of other annotators.
with_own_file as (

    select
        annotators.corpus,
        annotators.annotation_set,
        annotators.annotator

    from annotators
    inner join {{ source('raw', 'files') }} as files
        on
            annotators.corpus = files.corpus
            and files.role = 'annotations'
            and files.name = annotators.annotation_set || '/' || annotators.annotator

    union

    select
        lines.corpus,
        lines.annotation_set,
        lines.annotator

    from lines
    left join files_of_one using (corpus, annotation_set, path)
    group by lines.corpus, lines.annotation_set, lines.annotator
    having bool_and(files_of_one.path is not null)

),

spoken as (

    select distinct
        corpus,
        annotation_set,
        annotator,
        sentence_id

    from lines

),

answers as (

    select
        annotators.corpus,
        annotators.annotation_set,
        annotators.annotator,
        annotators.position,
        sentences.sentence_id,
        spoken.corpus is not null as has_line,
        bool_or(spoken.corpus is not null) over (
            partition by annotators.corpus, annotators.annotation_set, sentences.sentence_id
        ) as somebody_has_line

    from annotators
    inner join {{ ref('usable_sentences') }} as sentences using (corpus)
    left join spoken
        on
            annotators.corpus = spoken.corpus
            and annotators.annotation_set = spoken.annotation_set
            and annotators.annotator = spoken.annotator
            and sentences.sentence_id = spoken.sentence_id

)

select
    answers.corpus,
    answers.annotation_set,
    answers.annotator,
    answers.position,
    answers.sentence_id,
    answers.has_line,
    case
        when answers.has_line then true
        when extracted_sets.corpus is not null then false
        when corpora.absent is not null then corpora.absent = 'no_error'
        else with_own_file.corpus is not null or not answers.somebody_has_line
    end as is_asked

from answers
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
left join {{ source('raw', 'extracted_sets') }} as extracted_sets using (corpus, annotation_set)
left join with_own_file using (corpus, annotation_set, annotator)
