with

source as (

    select * from {{ source('raw', 'annotators') }}

),

renamed as (

    select
        corpus,
        annotation_set,
        annotator

    from source

)

select * from renamed
