-- Whether every annotator was asked about every sentence, and has an edit or a no-op of it. Of who
-- has none the manifest says what it means; without a word of it, who is silent where another
-- annotator is not was not asked, and where nobody has a line nobody found an error. A reference
-- that is not there was not asked for.
with

annotators as (

    select * from {{ ref('annotator_positions') }}

),

corpora as (

    select * from {{ ref('stg_corpus__corpora') }}

),

extracted_sets as (

    select * from {{ ref('stg_corpus__extracted_sets') }}

),

sentences as (

    select * from {{ ref('usable_sentences') }}

),

-- Edits that were skipped, too, are lines.
lines as (

    select
        corpus,
        annotation_set,
        annotator,
        sentence_id
    from {{ ref('annotated_edits') }}
    union
    select
        corpus,
        annotation_set,
        annotator,
        sentence_id
    from {{ ref('stg_m2__edits_out_of_range') }}

),

answers as (

    select
        annotators.corpus,
        annotators.annotation_set,
        annotators.annotator,
        annotators.position,
        sentences.sentence_id,
        lines.corpus is not null as has_line,
        bool_or(lines.corpus is not null) over (
            partition by annotators.corpus, annotators.annotation_set, sentences.sentence_id
        ) as somebody_has_line

    from annotators
    inner join sentences on annotators.corpus = sentences.corpus
    left join lines
        on
            annotators.corpus = lines.corpus
            and annotators.annotation_set = lines.annotation_set
            and annotators.annotator = lines.annotator
            and sentences.sentence_id = lines.sentence_id

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
        else not answers.somebody_has_line
    end as is_asked

from answers
inner join corpora on answers.corpus = corpora.corpus
left join extracted_sets
    on
        answers.corpus = extracted_sets.corpus
        and answers.annotation_set = extracted_sets.annotation_set
