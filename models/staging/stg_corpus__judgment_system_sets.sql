with

source as (

    select * from {{ source('raw', 'judgment_system_sets') }}

),

renamed as (

    select
        corpus,
        judgment_set,
        system_set,
        position,
        system

    from source

)

select * from renamed
