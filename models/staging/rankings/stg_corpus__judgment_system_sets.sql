select
    corpus,
    judgment_set,
    system_set,
    position,
    system

from {{ source('raw', 'judgment_system_sets') }}
