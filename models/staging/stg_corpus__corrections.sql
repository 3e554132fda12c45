with

source as (

    select * from {{ source('raw', 'corrections') }}

),

renamed as (

    select
        corpus,
        path,
        line,
        sentence_id,
        sentence,
        compared,
        correction,
        worker,
        status,
        left_out

    from source

)

select * from renamed
