-- Every correction of a sentence: outputs of systems, references as texts, and what annotators'
-- edits make of it, these by the names of their set and of the annotator.
with

sentences as (

    select
        corpus,
        sentence_id,
        array_to_string(tokens, ' ') as source

    from {{ ref('usable_sentences') }}

),

corrections as (

    select
        corpus,
        'system' as corrector_kind,
        system as corrector,
        sentence_id,
        text
    from {{ ref('usable_outputs') }}

    union all

    select
        corpus,
        'reference' as corrector_kind,
        reference as corrector,
        sentence_id,
        text
    from {{ ref('usable_references') }}

    union all

    select
        corpus,
        'annotator' as corrector_kind,
        annotation_set || '/' || annotator as corrector,
        sentence_id,
        text
    from {{ ref('annotation_texts') }}
    where
        (corpus, annotation_set) in (
            select (reference_sets.corpus, reference_sets.annotation_set)
            from {{ source('raw', 'reference_sets') }} as reference_sets
            where not reference_sets.has_texts
        )

)

select
    corrections.corpus,
    corrections.corrector_kind,
    corrections.corrector,
    corrections.sentence_id,
    sentences.source,
    corrections.text

from corrections
inner join sentences using (corpus, sentence_id)
