-- The cache answers each request with one row of statistics: none missing, none twice.
with

keys as (

    select
        0 as n_cached,
        1 as n_requested,
        signature_key,
        source_text_id,
        hypothesis_text_id,
        references_key
    from {{ ref('scoring_requests') }}
    union all
    select
        1 as n_cached,
        0 as n_requested,
        signature_key,
        source_text_id,
        hypothesis_text_id,
        references_key
    from {{ ref('metric_statistics') }}

)

select
    signature_key,
    source_text_id,
    hypothesis_text_id,
    references_key,
    sum(n_cached) as n_cached,
    sum(n_requested) as n_requested

from keys
group by all
having sum(n_cached) > 1 or sum(n_requested) > sum(n_cached)
