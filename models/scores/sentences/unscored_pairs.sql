-- Pairs that a metric of the user's own has no score for, or LanguageTool, and then all metrics
-- that it is a part of. Means over different sentences cannot be compared, so whoever compares
-- corpora or systems leaves out the sentences of these pairs.
with

unscored as (

    select
        pair_id,
        metric

    from {{ ref('own_pairs') }}
    where score is null

),

wholes as (

    select distinct
        metric,
        unnest(scored_elsewhere) as part

    from {{ ref('metric_registry') }}
    where is_selected

)

select * from unscored
union
select
    unscored.pair_id,
    wholes.metric

from unscored
inner join wholes on unscored.metric = wholes.part
