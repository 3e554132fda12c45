-- Usable scores that were computed elsewhere. If a metric lacks the score of a sentence for one of
-- the systems that it scored, the sentence is excluded for all systems, so that they are compared
-- on the same sentences.
with

scores as (

    {{ of_usable_sentences(source('raw', 'sentence_scores')) }}

),

gaps as (

    select distinct
        corpus,
        metric,
        reference_set,
        sentence_id

    from {{ ref('missing_scores') }}
    where is_system_scored

)

select
    scores.corpus,
    scores.path,
    scores.line,
    scores.metric,
    scores.higher_is_better,
    scores.reference_set,
    scores.system,
    scores.sentence_id,
    scores.score

from scores
inner join {{ ref('ingested_metrics') }} as metrics using (corpus, metric)
anti join gaps
    on
        scores.corpus = gaps.corpus
        and scores.metric = gaps.metric
        and scores.reference_set is not distinct from gaps.reference_set
        and scores.sentence_id = gaps.sentence_id
where metrics.fault is null
