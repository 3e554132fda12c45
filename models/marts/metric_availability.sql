-- Which metrics have scores here, and what to do about the others.
with

-- Inputs too large for an exact result: flagged in system_statistics, counted here.
approximations as (

    select
        signature_key,
        count(*) as n_inputs,
        count(*) filter (
            where list_contains(
                {{ for_each_reference('m2', statistic('m2', 'approximated', 'reference')) }}, 1
            )
        ) as n_approximated

    from {{ ref('metric_statistics') }}
    where family = 'm2'
    group by signature_key

    union all

    select
        signature_key,
        count(*) as n_inputs,
        count(*) filter (where {{ statistic('imeasure', 'approximated') }} = 1) as n_approximated

    from {{ ref('metric_statistics') }}
    where family in ('imeasure', 'imeasure_mix')
    group by signature_key

),

registry as (

    select
        metrics.metric,
        bool_and(metrics.is_selected) as is_selected,
        any_value(metrics.reason) as reason,
        any_value(metrics.remedy) as remedy,
        sum(approximations.n_inputs) as n_inputs,
        sum(approximations.n_approximated) as n_approximated

    from {{ ref('metric_registry') }} as metrics
    left join approximations on metrics.signature_key = approximations.signature_key
    group by metrics.metric

),

ingested as (

    select distinct metric from {{ ref('stg_corpus__sentence_scores') }}

)

select
    metric,
    is_selected as available,
    case
        when is_selected and n_approximated > 0
            then
                'computed here; ' || n_approximated || ' of ' || n_inputs
                || ' results approximated, inputs too large'
        when is_selected then 'computed here'
        else coalesce(reason, 'left out by the variable metrics')
    end as reason,
    case
        when is_selected then null
        else coalesce(remedy, 'add it to the variable metrics in dbt_project.yml')
    end as remedy

from registry

union all

select
    metric,
    true as available,
    'sentence scores ingested' as reason,
    null as remedy

from ingested
