-- Sentence scores follow from the stored statistics: SARI is the mean of its three parts, LD is 1
-- minus the distance divided by the length of the source (1 if that length is 0).
with

statistics as (

    select
        corpus,
        reference_set,
        system,
        metric,
        sentence_id,
        sum(value) filter (where metric = 'sari') / 3 as sari,
        1 - sum(value) filter (where statistic = 'distance')
        / nullif(sum(value) filter (where statistic = 'source_length'), 0) as ld

    from {{ ref('system_statistics') }}
    where metric in ('sari', 'ld')
    group by all

),

scores as (

    select * from {{ ref('system_sentence_scores') }}
    where metric in ('sari', 'ld')

)

select
    scores.corpus,
    scores.reference_set,
    scores.system,
    scores.sentence_id,
    scores.metric,
    scores.score,
    statistics.sari,
    statistics.ld

from scores
inner join statistics
    on
        scores.corpus = statistics.corpus
        and scores.reference_set = statistics.reference_set
        and scores.system = statistics.system
        and scores.metric = statistics.metric
        and scores.sentence_id = statistics.sentence_id
where
    abs(
        scores.score
        - if(scores.metric = 'sari', statistics.sari, coalesce(statistics.ld, 1))
    ) > 1e-9
