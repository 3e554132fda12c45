select
    corpus,
    path,
    line,
    metric,
    higher_is_better,
    reference_set,
    system,
    sentence_id,
    score

from {{ source('raw', 'sentence_scores') }}
