-- What the crowd's texts change, as ERRANT has it, in languages that it has rules and a parser for.
with

crowd as (

    select * from {{ ref('crowd_texts') }}

),

extractors as (

    select * from {{ ref('edit_extractor') }}
    where has_types and pipeline_key is not null

)

select
    extractors.extractor_key,
    {{ text_key('crowd.source', 'corpora.language') }} as source_text_id,
    {{ text_key('crowd.text', 'corpora.language') }} as target_text_id,
    crowd.corpus,
    crowd.sentence_id,
    crowd.source,
    crowd.text

from crowd
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
inner join extractors on corpora.language = extractors.language
