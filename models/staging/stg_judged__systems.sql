with

source as (

    select * from {{ source('raw', 'output_systems') }}

),

renamed as (

    select
        corpus as judgment_set,
        item,
        output_id,
        system,
        is_reference

    from source

)

select * from renamed
