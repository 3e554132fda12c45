-- What was asked about, and on which scale.
select
    judgment_set,
    task,
    aspect,
    low,
    high,
    step,
    higher_is_better,
    neutral

from {{ source('raw', 'task_aspects') }}
