-- The score of each sampled corpus: the mean of its sentence scores, for every metric. Metrics that
-- read edits score the first draws only; what later draws share with those is no whole corpus.
with

corpus_pairs as (

    select * from {{ ref('corpus_pairs') }}

),

sentence_scores as (

    select * from {{ ref('sentence_scores') }}

),

edit_metrics as (

    select
        metric,
        bool_or(reads_gold) as reads_gold

    from {{ ref('metric_registry') }}
    group by metric

)

select
    corpus_pairs.corpus,
    corpus_pairs.mode,
    corpus_pairs.experiment,
    sentence_scores.metric,
    corpus_pairs.draw,
    corpus_pairs.expected_edits,
    count(*) as n_sentences,
    {{ exact_mean(mode_score('corpus_pairs.mode', 'sentence_scores')) }} as mean_score

from corpus_pairs
inner join sentence_scores on corpus_pairs.pair_id = sentence_scores.pair_id
inner join edit_metrics on sentence_scores.metric = edit_metrics.metric
where not edit_metrics.reads_gold or corpus_pairs.draw < {{ var('edit_metric_draws') }}
group by all
