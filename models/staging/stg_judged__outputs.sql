with

source as (

    select * from {{ source('raw', 'judged_outputs') }}

),

renamed as (

    select
        corpus as judgment_set,
        item,
        output_id,
        text,
        is_source

    from source

)

select * from renamed
