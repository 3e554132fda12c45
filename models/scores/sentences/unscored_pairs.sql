-- Pairs without a score from a user metric or LanguageTool, and from all metrics that use one of
-- these; and pairs from a corpus, or half of one, that a metric was trained on, in whatever corpus
-- they occur. Means over different sentences cannot be compared, so comparisons of corpora or
-- systems exclude the sentences of these pairs.
with

unscored as (

    select
        pair_id,
        metric

    from {{ ref('own_pairs') }}
    where score is null

),

wholes as (

    select distinct
        metric,
        unnest(scored_elsewhere) as part

    from {{ ref('metric_registry') }}
    where is_selected

),

trained as (

    select distinct
        metric,
        trained_on

    from {{ ref('metric_registry') }}
    where is_selected and trained_on is not null

),

trained_halves as (

    select distinct
        registry.metric,
        sentences.corpus,
        sentences.sentence_id

    from {{ ref('sentences_trained_on') }} as sentences
    inner join {{ ref('metric_registry') }} as registry using (family)
    where registry.is_selected

),

-- A pair that occurs in two corpora is one row of the scoring pairs, under one of them.
pairs as (

    select distinct
        corpus,
        sentence_id,
        pair_id
    from {{ ref('scored_units') }}

)

select * from unscored
union
select
    unscored.pair_id,
    wholes.metric

from unscored
inner join wholes on unscored.metric = wholes.part
union
select
    pairs.pair_id,
    trained.metric

from pairs
inner join trained on pairs.corpus = trained.trained_on
union
select
    pairs.pair_id,
    halves.metric

from pairs
inner join trained_halves as halves using (corpus, sentence_id)
