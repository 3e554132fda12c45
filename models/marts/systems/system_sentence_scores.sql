-- The score of every sentence of every system output. Scores computed elsewhere without references
-- have the reference set 'none'. If a user metric lacks the score of a sentence for one system, the
-- sentence is excluded for all systems, so that they are compared on the same sentences. If a
-- metric weights by the whole output, the score is that of the sentence in its corpus.
with

pairs as (

    select * from {{ ref('scored_units') }}
    where used_in = 'system'

),

unscored as (

    select distinct
        pairs.corpus,
        pairs.reference_set,
        pairs.sentence_id,
        unscored_pairs.metric

    from pairs
    inner join {{ ref('unscored_pairs') }} as unscored_pairs using (pair_id)

)

select
    pairs.corpus,
    pairs.reference_set,
    pairs.system,
    pairs.sentence_id,
    scores.metric,
    coalesce(in_corpora.score, scores.score) as score

from pairs
inner join {{ ref('sentence_scores') }} as scores using (pair_id)
left join {{ ref('sentence_scores_in_corpora') }} as in_corpora
    on
        pairs.corpus = in_corpora.corpus
        and pairs.reference_set = in_corpora.reference_set
        and pairs.system = in_corpora.system
        and pairs.sentence_id = in_corpora.sentence_id
        and scores.metric = in_corpora.metric
left join unscored
    on
        pairs.corpus = unscored.corpus
        and pairs.reference_set = unscored.reference_set
        and pairs.sentence_id = unscored.sentence_id
        and scores.metric = unscored.metric
where unscored.metric is null

union all

select
    corpus,
    coalesce(reference_set, 'none') as reference_set,
    system,
    sentence_id,
    metric,
    score

from {{ ref('usable_sentence_scores') }}
