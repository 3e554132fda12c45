-- Every text that the extractor has to have parsed; none where it reads no parses.
with

extractor as (

    select * from {{ ref('edit_extractor') }}
    where pipeline_key is not null

),

requests as (

    select * from {{ ref('extraction_requests') }}

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
