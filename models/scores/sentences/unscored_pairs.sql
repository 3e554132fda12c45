-- Pairs that a metric of the user's own has no score for. Means over different sentences cannot be
-- compared, so whoever compares corpora or systems leaves out the sentences of these pairs.
select
    pair_id,
    metric

from {{ ref('own_pairs') }}
where score is null
