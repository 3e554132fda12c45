-- Every metric with scores is in `metrics` and available.
with

scored as (

    select distinct metric from {{ ref('system_scores') }}
    union
    select distinct metric from {{ ref('sentence_correlations') }}
    where not starts_with(metric, 'chance_')

),

availability as (

    select * from {{ ref('metric_availability') }}
    where corpus is null

)

select
    scored.metric,
    metrics.metric as described_as,
    availability.is_available

from scored
left join {{ ref('metrics') }} as metrics on scored.metric = metrics.metric
left join availability on scored.metric = availability.metric
where
    metrics.metric is null
    or availability.is_available is distinct from true
