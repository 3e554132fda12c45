select
    judgment_set,
    path,
    line,
    task,
    item,
    output_id,
    judge,
    edited_id

from {{ source('raw', 'post_edits') }}
