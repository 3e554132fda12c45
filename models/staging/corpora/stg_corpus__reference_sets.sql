select
    corpus,
    reference_set,
    annotation_set,
    has_texts,
    edit_set,
    -- Rows stand in the order of the manifest.
    rowid as place_in_manifest,
    coalesce(empty_references, 'deletion') as empty_references

from {{ source('raw', 'reference_sets') }}
