with

source as (

    select * from {{ source('raw', 'post_edits') }}

),

renamed as (

    select
        corpus as judgment_set,
        path,
        line,
        task,
        item,
        output_id,
        judge,
        edited_id

    from source

)

select * from renamed
