-- Whether more is better, for every metric that is selected or whose scores were ingested.
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
