-- Pairs without a score from a user metric or LanguageTool, and from all metrics that use one of
-- these. Means over different sentences cannot be compared, so comparisons of corpora or systems
-- exclude the sentences of these pairs.
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
