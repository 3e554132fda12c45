with

source as (

    -- Rows stand in the order of the manifest.
    select
        *,
        rowid as place_in_manifest
    from {{ source('raw', 'reference_sets') }}

),

renamed as (

    select
        corpus,
        reference_set,
        annotation_set,
        has_texts,
        edit_set,
        place_in_manifest,
        coalesce(empty_references, 'deletion') as empty_references

    from source

)

select * from renamed
