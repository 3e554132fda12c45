with

source as (

    select * from {{ source('raw', 'corpora') }}

),

renamed as (

    select
        corpus,
        title,
        licence,
        origin,
        language,
        absent,
        sentences as n_sentences,
        ingested_at

    from source

)

select * from renamed
