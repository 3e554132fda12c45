with

source as (

    select * from {{ source('raw', 'outputs') }}

),

renamed as (

    select
        corpus,
        path,
        line,
        system,
        sentence_id,
        trim({{ collapse_whitespace('text') }}, ' ') as text

    from source

)

select * from renamed
