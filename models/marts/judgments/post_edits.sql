-- Outputs after the edits of judges.
select
    judgment_set,
    task,
    path,
    line,
    item,
    output_id,
    judge,
    edited_id as edited_output_id

from {{ source('raw', 'post_edits') }}
