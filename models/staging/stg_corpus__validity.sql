with

source as (

    select * from {{ source('raw', 'validity_judgements') }}

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
        is_valid

    from source

)

select * from renamed
