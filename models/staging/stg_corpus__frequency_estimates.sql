with

source as (

    select * from {{ source('raw', 'frequency_estimates') }}

),

renamed as (

    select
        corpus,
        path,
        line,
        measure,
        name,
        frequency,
        variants

    from source

)

select * from renamed
