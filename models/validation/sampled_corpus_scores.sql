-- The score of each sampled corpus: the mean of its sentence scores, for every metric. Metrics that
-- read edits, and LanguageTool, score the first draws only; what later draws share with those is no
-- whole corpus.
-- A random number is drawn for each corpus anew: draws share texts, and one number a text would
-- order the corpora of all draws alike.
-- A sentence that a metric of the user's own lacks in one corpus of a draw counts in none of them,
-- so that corpora are compared over the same sentences.
{%- set random_score = uniform(
    'chance_score', ['corpus_pairs.pair_id', 'corpus_pairs.draw', 'corpus_pairs.expected_edits']
) -%}
{%- set score %}
    if(
        sentence_scores.metric = 'chance_random',
        {{ random_score }},
        {{ mode_score('corpus_pairs.mode', 'sentence_scores') }}
    )
{%- endset %}
with

corpus_pairs as (

    select * from {{ ref('corpus_pairs') }}

),

sentence_scores as (

    select * from {{ ref('scores_and_chance') }}

),

units as (

    select * from {{ ref('score_units') }}

),

edit_metrics as (

    select
        metric,
        bool_or(scores_first_draws) as scores_first_draws

    from {{ ref('metric_registry') }}
    group by metric

),

unscored as (

    select distinct
        corpus_pairs.corpus,
        corpus_pairs.mode,
        corpus_pairs.experiment,
        corpus_pairs.draw,
        corpus_pairs.sentence_id,
        unscored_pairs.metric

    from corpus_pairs
    inner join {{ ref('unscored_pairs') }} as unscored_pairs
        on corpus_pairs.pair_id = unscored_pairs.pair_id

)

select
    corpus_pairs.corpus,
    corpus_pairs.mode,
    corpus_pairs.experiment,
    sentence_scores.metric,
    corpus_pairs.draw,
    corpus_pairs.expected_edits,
    count(*) as n_sentences,
    {{ exact_mean(score, 'units.unit') }} as mean_score

from corpus_pairs
inner join sentence_scores on corpus_pairs.pair_id = sentence_scores.pair_id
inner join units on sentence_scores.metric = units.metric
left join edit_metrics on sentence_scores.metric = edit_metrics.metric
left join unscored
    on
        corpus_pairs.corpus = unscored.corpus
        and corpus_pairs.mode = unscored.mode
        and corpus_pairs.experiment = unscored.experiment
        and corpus_pairs.draw = unscored.draw
        and corpus_pairs.sentence_id = unscored.sentence_id
        and sentence_scores.metric = unscored.metric
where
    (
        not coalesce(edit_metrics.scores_first_draws, false)
        or corpus_pairs.draw < {{ var('edit_metric_draws') }}
    )
    and unscored.metric is null
group by all
