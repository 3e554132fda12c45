with

source as (

    select * from {{ source('own', 'metric_scores') }}

),

renamed as (

    select
        metric,
        request_id,
        score,
        path,
        line

    from source

)

select * from renamed
