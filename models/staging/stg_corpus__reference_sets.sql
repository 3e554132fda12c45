with

source as (

    select * from {{ source('raw', 'reference_sets') }}

),

renamed as (

    select
        corpus,
        reference_set,
        annotation_set,
        has_texts,
        edit_set,
        coalesce(empty_references, 'deletion') as empty_references

    from source

)

select * from renamed
