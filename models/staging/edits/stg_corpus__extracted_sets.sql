select
    corpus,
    annotation_set,
    reference_set

from {{ source('raw', 'extracted_sets') }}
