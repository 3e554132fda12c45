-- The score of each sampled corpus: the mean of its sentence scores, for every metric.
with

corpus_pairs as (

    select * from {{ ref('corpus_pairs') }}

),

sentence_scores as (

    select * from {{ ref('sentence_scores') }}

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
group by all
