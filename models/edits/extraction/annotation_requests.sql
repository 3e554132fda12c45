-- Every (source, reference) whose edits are an annotation: of annotation sets that are extracted.
with

reference_sets as (

    select * from {{ source('raw', 'reference_sets') }}

),

sentences as (

    select
        corpus,
        sentence_id,
        language,
        array_to_string(tokens, ' ') as text

    from {{ ref('usable_sentences') }}

),

pairs as (

    select
        sets.corpus,
        sets.annotation_set,
        texts.path,
        texts.line,
        texts.reference as annotator,
        sentences.sentence_id,
        sentences.language,
        sentences.text as source_text,
        texts.text as target_text

    from {{ source('raw', 'extracted_sets') }} as sets
    inner join {{ source('raw', 'reference_set_members') }} as members using (corpus, reference_set)
    inner join {{ ref('usable_references') }} as texts
        on
            members.corpus = texts.corpus
            and members.reference = texts.reference
    inner join sentences
        on
            texts.corpus = sentences.corpus
            and texts.sentence_id = sentences.sentence_id
    inner join reference_sets
        on
            sets.corpus = reference_sets.corpus
            and sets.reference_set = reference_sets.reference_set
    where texts.text <> '' or reference_sets.empty_references is distinct from 'none'

)

select
    extractor.extractor_key,
    extractor.pipeline_key,
    {{ text_key('pairs.source_text', 'pairs.language') }} as source_text_id,
    {{ text_key('pairs.target_text', 'pairs.language') }} as target_text_id,
    pairs.*

from pairs
inner join {{ ref('edit_extractor') }} as extractor on pairs.language = extractor.language
