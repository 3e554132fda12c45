-- Sentence scores of sampled corpora, for metrics that score only the first draws: further draws
-- are resampled from them (corpus_draws).
with

corpus_pairs as (

    select * from {{ ref('scored_units') }}
    where
        used_in = 'sampled_corpus'
        and draw < (select max(metrics.n_draws) from {{ ref('metric_registry') }} as metrics)

),

metrics as (

    select distinct
        metric,
        n_draws

    from {{ ref('metric_registry') }}
    where n_draws is not null

),

scores as (

    select
        scores_and_chance.*,
        metrics.n_draws

    from {{ ref('scores_and_chance') }} as scores_and_chance
    inner join metrics using (metric)

)

select
    corpus_pairs.corpus,
    corpus_pairs.experiment,
    scores.metric,
    corpus_pairs.sentence_id,
    corpus_pairs.draw,
    corpus_pairs.expected_edits,
    {{ run_score('corpus_pairs.corpus', 'scores') }} as score

from corpus_pairs
inner join scores using (pair_id)
where
    corpus_pairs.draw < scores.n_draws
