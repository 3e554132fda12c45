select
    judgment_set,
    path,
    line,
    task,
    item,
    judge,
    aspect,
    output_a,
    output_b,
    preference,
    label

from {{ source('raw', 'preference_pairs') }}
