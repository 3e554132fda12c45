-- Every (source, text that an annotator made of it) whose edits ERRANT types.
with

texts as (

    select * from {{ ref('retyped_texts') }}

),

sets as (

    select * from {{ ref('untyped_annotation_sets') }}

)

select
    sets.extractor_key,
    sets.pipeline_key,
    {{ text_key('texts.source_text', 'sets.language') }} as source_text_id,
    {{ text_key('texts.text', 'sets.language') }} as target_text_id,
    texts.corpus,
    texts.annotation_set,
    texts.annotator,
    texts.sentence_id,
    texts.source_text,
    texts.text as target_text

from texts
inner join sets using (corpus, annotation_set)
