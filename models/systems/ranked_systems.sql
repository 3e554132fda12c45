-- One score per system output, metric and reference set, with its interval and rank.
with

scores as (

    select * from {{ ref('system_corpus_scores') }}

),

directions as (

    select * from {{ ref('metric_directions') }}

)

select
    scores.corpus,
    scores.reference_set,
    scores.system,
    scores.metric,
    scores.corpus_score,
    scores.mean_sentence_score,
    scores.ci_low,
    scores.ci_high,
    rank() over (
        partition by scores.corpus, scores.reference_set, scores.metric
        order by if(directions.higher_is_better, -1, 1) * scores.corpus_score
    )::integer as rank

from scores
inner join directions on scores.metric = directions.metric
