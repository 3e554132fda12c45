with

source as (

    select * from {{ source('raw', 'judgment_systems') }}

),

renamed as (

    select
        corpus,
        judgment_set,
        system,
        has_output

    from source

)

select * from renamed
