select
    corpus,
    path,
    line,
    judgment_set,
    judge,
    item,
    item_position,
    sentence_id,
    system,
    rank,
    cell

from {{ source('raw', 'judgments') }}
