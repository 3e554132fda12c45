select
    judgment_set,
    item,
    output_id,
    system,
    is_reference

from {{ source('raw', 'output_systems') }}
