with

source as (

    select * from {{ source('raw', 'judgment_findings') }}

),

renamed as (

    select
        corpus as judgment_set,
        path,
        line,
        task,
        kind,
        detail

    from source

)

select * from renamed
