-- Whether a larger score is better, for every selected or ingested metric.
select distinct
    metric,
    higher_is_better

from {{ ref('metric_registry') }}
where is_selected

union

select distinct
    metric,
    higher_is_better

from {{ ref('ingested_metrics') }}
where fault is null
