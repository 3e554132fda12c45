-- One row per text and use (`kind`) for which ERRANT extracts edits that are not scored:
--   annotation  a reference whose edits are an annotation of its sentence
--   retyped     the text that an annotator's edits make, in sets whose edits ERRANT has to type
--   crowd       a crowd worker's text
-- The last two need ERRANT's types and a parser for the language.
with

pairs as (

    select
        'annotation' as kind,
        texts.corpus,
        sets.annotation_set,
        texts.path,
        texts.line,
        texts.reference as annotator,
        texts.sentence_id,
        array_to_string(sentences.tokens, ' ') as source_text,
        texts.text as target_text

    from {{ source('raw', 'extracted_sets') }} as sets
    inner join {{ source('raw', 'reference_sets') }} as reference_sets
        using (corpus, reference_set)
    inner join {{ source('raw', 'reference_set_members') }}
        using (corpus, reference_set)
    inner join {{ ref('usable_references') }} as texts using (corpus, reference)
    inner join {{ ref('usable_sentences') }} as sentences using (corpus, sentence_id)
    where texts.text <> '' or reference_sets.empty_references is distinct from 'none'

    union all by name

    select
        'retyped' as kind,
        corpus,
        annotation_set,
        annotator,
        sentence_id,
        source_text,
        text as target_text
    from {{ ref('retyped_texts') }}

    union all by name

    select
        'crowd' as kind,
        corpus,
        sentence_id,
        source as source_text,
        text as target_text
    from {{ ref('crowd_texts') }}

)

select
    pairs.*,
    extractors.extractor_key,
    extractors.pipeline_key,
    {{ text_key('pairs.source_text', 'corpora.language') }} as source_text_id,
    {{ text_key('pairs.target_text', 'corpora.language') }} as target_text_id

from pairs
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
inner join {{ ref('edit_extractor') }} as extractors using (language)
where
    pairs.kind = 'annotation'
    or (extractors.has_types and extractors.pipeline_key is not null)
