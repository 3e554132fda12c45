-- The score of each sampled corpus: the mean of its sentence scores, for every metric. Edit-based,
-- LanguageTool and expensive metrics score only the first draws. Later draws share some texts with
-- these, but no complete corpus.
-- Each corpus has its own random numbers: draws share texts, and one random number per text would
-- give the corpora of all draws the same order.
-- If a user metric lacks the score of a sentence in one corpus of a draw, the sentence is excluded
-- from all corpora of the draw, so that they are compared on the same sentences.
-- Corpora, draws and metrics have numbers here, which halves the data that DuckDB spills. Pairs and
-- scores meet in one join with all conditions, and unscored pairs are looked up: DuckDB expects few
-- scored pairs although there are many millions, and with other plans it has spilled tables of
-- them.
{%- set random_score = uniform(
    'chance_score', ['pairs.pair_id', 'pairs.draw', 'pairs.expected_edits']
) %}
with

-- The table is read twice, as in scored_pairs.
corpus_pairs as not materialized (

    select * from {{ ref('scored_units') }}
    where used_in = 'sampled_corpus'

),

registry as (

    select
        metric,
        min(n_draws) as n_draws

    from {{ ref('metric_registry') }}
    group by metric

),

metrics as materialized (

    select
        units.metric,
        units.unit,
        coalesce(registry.n_draws, {{ var('corpus_draws') }}) as n_draws,
        (row_number() over (order by units.metric))::integer as metric_number

    from {{ ref('score_units') }} as units
    left join registry using (metric)

),

scores as (

    select
        scores_and_chance.pair_id,
        scores_and_chance.direction,
        scores_and_chance.score,
        scores_and_chance.published_score,
        metrics.metric = 'chance_random' as is_random,
        metrics.metric_number,
        metrics.unit,
        metrics.n_draws

    from {{ ref('scores_and_chance') }} as scores_and_chance
    inner join metrics using (metric)

),

sampled_corpora as materialized (

    select
        corpus,
        experiment,
        draw,
        expected_edits,
        (row_number() over (
            order by corpus, experiment, draw, expected_edits
        ))::integer as corpus_number,
        (dense_rank() over (order by corpus, experiment, draw))::integer as draw_number

    from corpus_pairs
    group by corpus, experiment, draw, expected_edits

),

-- Materialised, because otherwise corpora would be numbered once per metric.
pairs as materialized (

    select
        {% if var('replication') %}
            corpus_pairs.corpus,
        {% endif %}
        sampled_corpora.corpus_number,
        sampled_corpora.draw_number,
        sampled_corpora.draw,
        sampled_corpora.expected_edits,
        corpus_pairs.sentence_id,
        corpus_pairs.pair_id

    from corpus_pairs
    inner join sampled_corpora using (corpus, experiment, draw, expected_edits)

),

unscored as (

    select distinct
        pairs.draw_number,
        pairs.sentence_id,
        metrics.metric_number

    from {{ ref('unscored_pairs') }}
    inner join pairs using (pair_id)
    inner join metrics using (metric)

),

scored_pairs as (

    select
        pairs.corpus_number,
        scores.metric_number,
        scores.unit,
        if(
            scores.is_random, {{ random_score }}, {{ run_score('pairs.corpus', 'scores') }}
        ) as score

    from pairs
    inner join scores using (pair_id)
    where
        pairs.draw < scores.n_draws
        and (pairs.draw_number, pairs.sentence_id, scores.metric_number) not in (from unscored)

),

scored as (

    select
        corpus_number,
        metric_number,
        count(*) as n_sentences,
        {{ exact_mean('score', 'unit') }} as mean_score

    from scored_pairs
    group by corpus_number, metric_number

)

select
    sampled_corpora.corpus,
    sampled_corpora.experiment,
    metrics.metric,
    sampled_corpora.draw,
    sampled_corpora.expected_edits,
    scored.n_sentences,
    scored.mean_score

from scored
inner join sampled_corpora using (corpus_number)
inner join metrics using (metric_number)
