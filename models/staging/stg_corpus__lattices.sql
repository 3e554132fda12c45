with

source as (

    select * from {{ source('raw', 'lattices') }}

),

renamed as (

    select
        corpus,
        mode,
        annotation_set,
        reference_set

    from source

)

select * from renamed
