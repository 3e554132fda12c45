-- Every text that the extractor has to have parsed; none where it reads no parses.
with

extractor as (

    select * from {{ ref('edit_extractor') }}
    where pipeline_key is not null

),

requests as (

    select requests.*
    from {{ ref('extraction_requests') }} as requests
    -- These are parsed and compared there.
    anti join {{ ref('reference_edits') }} as known
        on
            requests.extractor_key = known.extractor_key
            and requests.source_text_id = known.source_text_id
            and requests.target_text_id = known.target_text_id

),

texts as (

    select * from {{ ref('texts') }}

),

named as (

    select
        source_text_id as text_id,
        corpus,
        sentence_id
    from requests
    union all
    select
        target_text_id as text_id,
        corpus,
        sentence_id
    from requests

)

select
    extractor.pipeline_key,
    named.text_id,
    texts.text,
    min(named.corpus) as corpus,
    min(named.sentence_id) as sentence_id

from named
inner join texts on named.text_id = texts.text_id
cross join extractor
group by extractor.pipeline_key, named.text_id, texts.text
