select
    metric,
    request_id,
    score,
    path,
    line

from {{ source('own', 'metric_scores') }}
