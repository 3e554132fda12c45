with

source as (

    select * from {{ source('raw', 'files') }}

),

renamed as (

    select
        corpus,
        path,
        format,
        role,
        name,
        sha256,
        bytes,
        lines,
        origin,
        ingested_at

    from source

)

select * from renamed
