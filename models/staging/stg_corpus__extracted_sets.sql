with

source as (

    select * from {{ source('raw', 'extracted_sets') }}

),

renamed as (

    select
        corpus,
        annotation_set,
        reference_set

    from source

)

select * from renamed
