with

source as (

    select * from {{ source('raw', 'judgment_sets') }}

),

renamed as (

    select
        corpus,
        judgment_set,
        loaded_from,
        path,
        format,
        items as n_items,
        title,
        licence,
        origin

    from source

)

select * from renamed
