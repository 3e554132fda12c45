-- The score of every sentence of every system output.
select
    corpus,
    reference_set,
    system,
    sentence_id,
    metric,
    score

from {{ ref('output_scores') }}
