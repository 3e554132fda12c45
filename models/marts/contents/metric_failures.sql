-- Inputs for which a user's function, or LanguageTool, gave no score, with the reason.
with

failures as (

    select * from {{ ref('own_requests') }}
    where failure is not null

),

texts as (

    select * from {{ ref('texts') }}

),

reference_texts as (

    select
        lists.references_key,
        string_agg(texts.text, chr(10) order by lists.position) as reference_texts

    from (
        select
            references_key,
            unnest(text_ids) as text_id,
            generate_subscripts(text_ids, 1) as position

        from {{ ref('reference_contents') }}
    ) as lists
    inner join texts on lists.text_id = texts.text_id
    group by lists.references_key

)

select
    failures.metric,
    failures.request_id,
    failures.failure,
    sources.text as source_text,
    hypotheses.text as hypothesis_text,
    reference_texts.reference_texts

from failures
left join texts as sources on failures.source_text_id = sources.text_id
left join texts as hypotheses on failures.hypothesis_text_id = hypotheses.text_id
left join reference_texts on failures.references_key = reference_texts.references_key
