-- The score of each sampled corpus: the mean of its sentence scores, for every metric. Metrics that
-- read edits, and LanguageTool, score the first draws only; what later draws share with those is no
-- whole corpus.
-- A random number is drawn for each corpus anew: draws share texts, and one number a text would
-- order the corpora of all draws alike.
-- A sentence that a metric of the user's own lacks in one corpus of a draw counts in none of them,
-- so that corpora are compared over the same sentences.
-- Corpora and metrics have numbers here: to group by those takes half as long as by names.
{%- set random_score = uniform(
    'chance_score', ['pairs.pair_id', 'pairs.draw', 'pairs.expected_edits']
) -%}
{%- set score %}
    if(
        sentence_scores.metric = 'chance_random',
        {{ random_score }},
        {{ mode_score('pairs.mode', 'sentence_scores') }}
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

metrics as (

    select
        units.metric,
        units.unit,
        coalesce(edit_metrics.scores_first_draws, false) as scores_first_draws,
        row_number() over (order by units.metric) as metric_number

    from units
    left join edit_metrics on units.metric = edit_metrics.metric

),

sampled_corpora as (

    select
        corpus,
        mode,
        experiment,
        draw,
        expected_edits,
        row_number() over (
            order by corpus, mode, experiment, draw, expected_edits
        ) as corpus_number

    from corpus_pairs
    group by corpus, mode, experiment, draw, expected_edits

),

-- Materialised, or corpora would get their numbers once for each metric.
pairs as materialized (

    select
        corpus_pairs.*,
        sampled_corpora.corpus_number

    from corpus_pairs
    inner join sampled_corpora
        on
            corpus_pairs.corpus = sampled_corpora.corpus
            and corpus_pairs.mode = sampled_corpora.mode
            and corpus_pairs.experiment = sampled_corpora.experiment
            and corpus_pairs.draw = sampled_corpora.draw
            and corpus_pairs.expected_edits = sampled_corpora.expected_edits

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

),

scored as (

    select
        pairs.corpus_number,
        metrics.metric_number,
        count(*) as n_sentences,
        {{ exact_mean(score, 'metrics.unit') }} as mean_score

    from pairs
    inner join sentence_scores on pairs.pair_id = sentence_scores.pair_id
    inner join metrics on sentence_scores.metric = metrics.metric
    left join unscored
        on
            pairs.corpus = unscored.corpus
            and pairs.mode = unscored.mode
            and pairs.experiment = unscored.experiment
            and pairs.draw = unscored.draw
            and pairs.sentence_id = unscored.sentence_id
            and sentence_scores.metric = unscored.metric
    where
        (not metrics.scores_first_draws or pairs.draw < {{ var('edit_metric_draws') }})
        and unscored.metric is null
    group by pairs.corpus_number, metrics.metric_number

)

select
    sampled_corpora.corpus,
    sampled_corpora.mode,
    sampled_corpora.experiment,
    metrics.metric,
    sampled_corpora.draw,
    sampled_corpora.expected_edits,
    scored.n_sentences,
    scored.mean_score

from scored
inner join sampled_corpora on scored.corpus_number = sampled_corpora.corpus_number
inner join metrics on scored.metric_number = metrics.metric_number
