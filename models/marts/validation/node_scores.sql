-- The score of every metric at every position of every chain, and MAEGE's gold score.
with

-- The scores read here are oriented so that larger is better; they get the metric's own direction
-- again.
directions as (

    select distinct
        metric,
        direction

    from {{ ref('metric_registry') }}

)

select
    scores.corpus,
    scores.experiment,
    scores.chain_id,
    scores.position,
    scores.metric,
    scores.sentence_id,
    scores.node_id,
    texts.text as source_text,
    directions.direction * scores.score as score,
    scores.gold_score

from {{ ref('chain_scores') }} as scores
inner join {{ ref('texts') }} as texts on scores.source_text_id = texts.text_id
inner join directions on scores.metric = directions.metric
order by
    scores.corpus,
    scores.experiment,
    scores.chain_id,
    scores.position,
    scores.metric
