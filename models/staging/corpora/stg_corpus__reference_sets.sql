select
    corpus,
    reference_set,
    position,
    annotation_set,
    has_texts,
    edit_set,
    empty_references

from {{ source('raw', 'reference_sets') }}
