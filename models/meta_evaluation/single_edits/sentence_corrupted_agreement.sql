-- Valid nodes against corrupted ones within each source sentence: by error type, and all types
-- together (error_type is null).
with

-- Every pair under its type and under all types.
grouped as (

    select
        * exclude (error_type),
        unnest([error_type, null]) as error_type

    from {{ ref('scored_corrupted_pairs') }}

)

select
    corpus,
    mode,
    metric,
    error_type,
    sentence_id,
    count(*) as n_pairs,
    {{ outcome_counts('outcome') }},
    count(*) filter (where valid_distance > corrupted_distance) as valid_changes_more,
    count(*) filter (where valid_distance < corrupted_distance) as corrupted_changes_more

from grouped
group by all
