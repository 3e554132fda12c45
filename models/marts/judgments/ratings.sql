-- Every value that people gave outputs.
select
    judgment_set,
    task,
    path,
    line,
    item,
    output_id,
    presented,
    systems,
    judge,
    slot,
    aspect,
    value,
    published_z

from {{ ref('stg_judged__ratings') }}
