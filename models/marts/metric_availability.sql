-- Which metrics have scores here, and what to do about the others.
with

registry as (

    select distinct
        metric,
        is_selected

    from {{ ref('metric_registry') }}

),

ingested as (

    select distinct metric from {{ ref('stg_corpus__sentence_scores') }}

)

select
    metric,
    is_selected as available,
    if(is_selected, 'computed here', 'left out by the variable metrics') as reason,
    if(is_selected, null, 'add it to the variable metrics in dbt_project.yml') as remedy

from registry

union all

select
    metric,
    true as available,
    'sentence scores ingested' as reason,
    null as remedy

from ingested
