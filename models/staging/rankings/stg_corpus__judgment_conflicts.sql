select
    corpus,
    judgment_set,
    path,
    line,
    judge,
    item,
    sentence_id,
    kind,
    detail

from {{ source('raw', 'judgment_conflicts') }}
