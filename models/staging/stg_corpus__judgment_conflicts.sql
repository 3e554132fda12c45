with

source as (

    select * from {{ source('raw', 'judgment_conflicts') }}

),

renamed as (

    select
        corpus,
        judgment_set,
        path,
        line,
        judge,
        item,
        sentence_id,
        kind,
        detail

    from source

)

select * from renamed
