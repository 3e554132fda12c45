-- The cache is append-only: a request that was scored twice would double every score of its pair.
-- Keys are compared by their hashes, because sorting a million rows by four columns takes four
-- times as long.
with

counted as (

    select
        count(*) as n_rows,
        count(distinct hash(
            signature_key, source_text_id, hypothesis_text_id, references_key
        )) as n_requests

    from {{ ref('metric_statistics') }}

)

select * from counted
where n_rows <> n_requests
