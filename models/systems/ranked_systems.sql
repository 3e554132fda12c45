-- One score per system output, metric and reference set, with its interval, its rank, and the ranks
-- that the tests against all other systems leave possible: never a bare order.
with

scores as (

    select * from {{ ref('system_corpus_scores') }}

),

directions as (

    select * from {{ ref('metric_directions') }}

),

told_apart as (

    select * from {{ ref('system_differences') }}
    where p_holm < 1 - {{ var('confidence_level') }}

),

better as (

    select
        corpus,
        reference_set,
        metric,
        system_b as system,
        count(*) as n_better

    from told_apart
    group by all

),

worse as (

    select
        corpus,
        reference_set,
        metric,
        system_a as system,
        count(*) as n_worse

    from told_apart
    group by all

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
        of_metric order by if(directions.higher_is_better, -1, 1) * scores.corpus_score
    )::integer as rank,
    1 + coalesce(better.n_better, 0)::integer as rank_low,
    (count(*) over of_metric - coalesce(worse.n_worse, 0))::integer as rank_high

from scores
inner join directions on scores.metric = directions.metric
left join better
    on
        scores.corpus = better.corpus
        and scores.reference_set = better.reference_set
        and scores.metric = better.metric
        and scores.system = better.system
left join worse
    on
        scores.corpus = worse.corpus
        and scores.reference_set = worse.reference_set
        and scores.metric = worse.metric
        and scores.system = worse.system
window of_metric as (partition by scores.corpus, scores.reference_set, scores.metric)
