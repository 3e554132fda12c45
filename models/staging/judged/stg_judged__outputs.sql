select
    judgment_set,
    item,
    output_id,
    text,
    is_source

from {{ source('raw', 'judged_outputs') }}
