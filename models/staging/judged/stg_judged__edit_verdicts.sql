select
    judgment_set,
    path,
    line,
    task,
    item,
    edit,
    start_char,
    end_char,
    original,
    correction,
    edited,
    judge,
    slot,
    verdict,
    value

from {{ source('raw', 'edit_verdicts') }}
