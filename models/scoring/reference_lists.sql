-- The references of a sentence as one unit, in order: what multi-reference metrics read.
with

reference_texts as (

    select * from {{ ref('reference_texts') }}

),

listed as (

    select
        corpus,
        reference_set,
        sentence_id,
        list(text_id order by position) as text_ids,
        bool_or(text = '') as has_empty_reference

    from reference_texts
    group by all

)

select
    corpus,
    reference_set,
    sentence_id,
    text_ids,
    len(text_ids) as n_references,
    has_empty_reference,
    {{ content_key('text_ids::varchar') }} as references_key

from listed
