select
    judgment_set,
    task,
    position,
    aspect,
    low,
    high,
    step,
    higher_is_better,
    neutral

from {{ source('raw', 'task_aspects') }}
