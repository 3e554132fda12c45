-- The score of every sentence of every system output.
select
    corpus,
    reference_set,
    system,
    sentence_id,
    metric,
    score

from {{ ref('output_scores') }}
-- Equal scores stand together, which takes half the space.
order by corpus, metric, sentence_id, score, reference_set, system
