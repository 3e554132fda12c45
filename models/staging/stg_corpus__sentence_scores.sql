with

source as (

    select * from {{ source('raw', 'sentence_scores') }}

),

renamed as (

    select
        corpus,
        path,
        line,
        metric,
        higher_is_better,
        reference_set,
        system,
        sentence_id,
        score

    from source

)

select * from renamed
