with

source as (

    select * from {{ source('raw', 'ingest_findings') }}

),

renamed as (

    select
        corpus,
        path,
        line,
        kind,
        detail

    from source

)

select * from renamed
