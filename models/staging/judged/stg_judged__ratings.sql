select
    judgment_set,
    path,
    line,
    task,
    item,
    output_id,
    presented,
    systems,
    judge,
    slot,
    aspect,
    value,
    published_z

from {{ source('raw', 'ratings') }}
