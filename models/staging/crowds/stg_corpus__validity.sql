select
    corpus,
    path,
    line,
    sentence_id,
    sentence,
    compared,
    correction,
    worker,
    is_valid

from {{ source('raw', 'validity_judgements') }}
