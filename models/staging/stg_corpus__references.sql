with

source as (

    select * from {{ source('raw', 'references') }}

),

renamed as (

    select
        corpus,
        path,
        line,
        reference,
        sentence_id,
        trim({{ collapse_whitespace('text') }}, ' ') as text

    from source

)

select * from renamed
