-- The score of every metric at every position of every chain, beside MAEGE's own gold score.
with

scores as (

    select * from {{ ref('chain_scores') }}

),

texts as (

    select * from {{ ref('texts') }}

)

select
    scores.corpus,
    scores.mode,
    scores.experiment,
    scores.chain_id,
    scores.position,
    scores.metric,
    scores.sentence_id,
    scores.node_id,
    texts.text as source_text,
    scores.score,
    scores.gold_score

from scores
inner join texts on scores.source_text_id = texts.text_id
