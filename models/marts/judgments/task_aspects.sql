-- Aspects of the judgment tasks, with their scales.
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
