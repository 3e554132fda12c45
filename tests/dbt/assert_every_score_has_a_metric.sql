-- Whatever has scores is described in metrics and available, in one direction only: ranks would
-- mean nothing otherwise.
with

scored as (

    select distinct metric from {{ ref('system_scores') }}
    union
    select distinct metric from {{ ref('sentence_correlations') }}
    where not starts_with(metric, 'chance_')

),

metrics as (

    select
        name,
        count(distinct higher_is_better) as n_directions

    from {{ ref('metrics') }}
    group by all

),

availability as (

    select * from {{ ref('metric_availability') }}
    where corpus is null

)

select
    scored.metric,
    metrics.n_directions,
    availability.available

from scored
left join metrics on scored.metric = metrics.name
left join availability on scored.metric = availability.metric
where
    metrics.n_directions is distinct from 1
    or availability.available is distinct from true
