-- A system's mean is the mean of its sentences, and it has each of its corpus once; metrics without
-- a corpus rule of their own score the mean, inside its interval. Somebody is first, and no two
-- systems with different scores share a rank.
with

sentences as (

    select
        corpus,
        reference_set,
        system,
        metric,
        count(*) as n_sentences,
        count(distinct sentence_id) as n_distinct,
        avg(score) as mean_score

    from {{ ref('system_sentence_scores') }}
    group by all

),

corpora as (

    select * from {{ ref('corpora') }}

),

scores as (

    select
        *,
        min(rank) over ranking as best_rank,
        count(distinct corpus_score) over shared as n_scores_of_rank

    from {{ ref('system_scores') }}
    window
        ranking as (partition by corpus, reference_set, metric),
        shared as (partition by corpus, reference_set, metric, rank)

)

select
    sentences.corpus,
    sentences.reference_set,
    sentences.system,
    sentences.metric,
    sentences.n_sentences,
    sentences.mean_score,
    scores.mean_sentence_score,
    scores.corpus_score,
    scores.ci_low,
    scores.ci_high,
    scores.rank

from sentences
inner join corpora on sentences.corpus = corpora.corpus
left join scores
    on
        sentences.corpus = scores.corpus
        and sentences.reference_set = scores.reference_set
        and sentences.system = scores.system
        and sentences.metric = scores.metric
where
    sentences.n_sentences <> corpora.sentences
    or sentences.n_distinct <> corpora.sentences
    or scores.mean_sentence_score is null
    or abs(scores.mean_sentence_score - sentences.mean_score) > 1e-9
    or scores.best_rank <> 1
    or scores.n_scores_of_rank > 1
    or (
        scores.corpus_score = scores.mean_sentence_score
        and scores.corpus_score not between scores.ci_low - 1e-9 and scores.ci_high + 1e-9
    )
