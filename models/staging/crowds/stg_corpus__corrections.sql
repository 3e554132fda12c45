select
    corpus,
    path,
    line,
    sentence_id,
    sentence,
    compared,
    correction,
    worker,
    status,
    left_out

from {{ source('raw', 'corrections') }}
