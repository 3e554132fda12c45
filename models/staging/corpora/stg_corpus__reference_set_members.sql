select
    corpus,
    reference_set,
    position,
    reference

from {{ source('raw', 'reference_set_members') }}
