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
        trim({{ collapse_whitespace('text') }}, ' ') as text,
        -- Of the line as it stands, but for white space at its end.
        length(rtrim(text)) as n_characters

    from source

)

select * from renamed
