select
    corpus,
    judgment_set,
    system,
    has_output

from {{ source('raw', 'judgment_systems') }}
