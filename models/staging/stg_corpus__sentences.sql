with

source as (

    select * from {{ source('raw', 'sentences') }}

),

renamed as (

    select
        corpus,
        path,
        line,
        sentence_id,
        text,
        tokens

    from source

)

select * from renamed
