-- Every text that an extractor needs parsed. Empty if the extractor uses no parses.
with

extractors as (

    select * from {{ ref('edit_extractor') }}
    where pipeline_key is not null

),

requests as (

    select
        requests.source_text_id,
        requests.target_text_id,
        requests.corpus,
        requests.sentence_id,
        extractors.pipeline_key

    from {{ ref('extraction_requests') }} as requests
    inner join extractors using (extractor_key)
    -- The model reference_edits parses and compares these texts itself.
    anti join {{ ref('reference_edits') }}
        using (extractor_key, source_text_id, target_text_id)

),

named as (

    select
        pipeline_key,
        source_text_id as text_id,
        corpus,
        sentence_id
    from requests
    union all
    select
        pipeline_key,
        target_text_id as text_id,
        corpus,
        sentence_id
    from requests

)

select
    named.pipeline_key,
    named.text_id,
    texts.text,
    min(named.corpus) as corpus,
    min(named.sentence_id) as sentence_id

from named
inner join {{ ref('texts') }} as texts using (text_id)
group by named.pipeline_key, named.text_id, texts.text
