select
    corpus,
    mode,
    annotation_set,
    reference_set

from {{ source('raw', 'lattices') }}
