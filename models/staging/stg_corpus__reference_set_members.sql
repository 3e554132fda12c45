with

source as (

    select * from {{ source('raw', 'reference_set_members') }}

),

renamed as (

    select
        corpus,
        reference_set,
        position,
        reference

    from source

)

select * from renamed
