with

source as (

    select * from {{ source('raw', 'files') }}
    where role = 'system_edits'

),

renamed as (

    select
        corpus,
        path,
        split_part(name, '/', 1) as edit_set,
        split_part(name, '/', 2) as system

    from source

)

select * from renamed
