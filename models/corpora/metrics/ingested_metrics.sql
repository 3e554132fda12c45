-- Metrics whose scores a corpus brought, and why they cannot be used where they cannot: the name is
-- taken, or stands for more where that of an earlier corpus stands for less.
with

scores as (

    select distinct
        corpus,
        metric,
        higher_is_better

    from {{ source('raw', 'sentence_scores') }}

),

registry as (

    select distinct metric from {{ ref('metric_registry') }}

),

first_directions as (

    select
        *,
        first_value(corpus) over (partition by metric order by corpus) as first_corpus,
        first_value(higher_is_better) over (
            partition by metric order by corpus
        ) as first_direction

    from scores

)

select
    first_directions.corpus,
    first_directions.metric,
    first_directions.higher_is_better,
    case
        when registry.metric is not null then 'the name is that of a metric which is scored here'
        when first_directions.higher_is_better <> first_directions.first_direction
            then
                'better is '
                || if(first_directions.higher_is_better, 'higher, lower', 'lower, higher')
                || ' in corpus ' || first_directions.first_corpus
    end as fault

from first_directions
left join registry on first_directions.metric = registry.metric
