with

source as (

    select * from {{ source('raw', 'judged_items') }}

),

renamed as (

    select
        corpus as judgment_set,
        item,
        source,
        linked_corpus,
        sentence_id

    from source

)

select * from renamed
