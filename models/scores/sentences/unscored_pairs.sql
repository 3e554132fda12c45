-- Pairs that a metric of the user's own has no score for, or LanguageTool, and then all metrics
-- that it is a part of; and the pairs of the corpus that a metric was trained on, wherever else
-- they are. Means over different sentences cannot be compared, so whoever compares corpora or
-- systems leaves out the sentences of these pairs.
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

-- A pair that two corpora have is one row of the scoring pairs, under one of them.
pairs as (

    select
        corpus,
        pair_id
    from {{ ref('chain_pairs') }}
    union all
    select
        corpus,
        pair_id
    from {{ ref('corpus_pairs') }}
    union all
    select
        corpus,
        pair_id
    from {{ ref('corrupted_pairs') }}
    union all
    select
        corpus,
        pair_id
    from {{ ref('compared_pairs') }}
    union all
    select
        corpus,
        pair_id
    from {{ ref('system_pairs') }}

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
