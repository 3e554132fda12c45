-- A system's mean score is the mean over its sentences, each of which occurs once per reference
-- set. Metrics without their own corpus rule use this mean as the score, inside its interval. If
-- there are ranks, one system is first, and no two systems with different scores share a rank. User
-- metrics with missing scores, and ingested metrics, have the same sentences for every system.
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

sentences_of_sets as (

    select
        corpus,
        reference_set,
        count(distinct sentence_id) as n_sentences

    from {{ ref('scored_units') }}
    where used_in = 'system'
    group by all

),

incomplete as (

    select distinct metric from {{ ref('unscored_pairs') }}
    union
    select distinct metric from {{ ref('usable_sentence_scores') }}

),

sentences_in_all as (

    select
        corpus,
        reference_set,
        metric,
        count(distinct sentence_id) as n_sentences

    from {{ ref('system_sentence_scores') }}
    group by all

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
left join sentences_of_sets
    on
        sentences.corpus = sentences_of_sets.corpus
        and sentences.reference_set = sentences_of_sets.reference_set
left join scores
    on
        sentences.corpus = scores.corpus
        and sentences.reference_set = scores.reference_set
        and sentences.system = scores.system
        and sentences.metric = scores.metric
inner join sentences_in_all
    on
        sentences.corpus = sentences_in_all.corpus
        and sentences.reference_set = sentences_in_all.reference_set
        and sentences.metric = sentences_in_all.metric
left join incomplete on sentences.metric = incomplete.metric
where
    sentences.n_sentences
    <> if(
        incomplete.metric is null, sentences_of_sets.n_sentences, sentences_in_all.n_sentences
    )
    or sentences.n_distinct <> sentences.n_sentences
    or scores.mean_sentence_score is null
    or abs(scores.mean_sentence_score - sentences.mean_score) > 1e-9
    or scores.best_rank <> 1
    or (scores.rank is not null and scores.n_scores_of_rank > 1)
    or (
        scores.corpus_score = scores.mean_sentence_score
        and scores.corpus_score not between scores.ci_low - 1e-9 and scores.ci_high + 1e-9
    )
