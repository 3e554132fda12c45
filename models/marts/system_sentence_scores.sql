-- The score of every sentence of every system output. Scores made elsewhere without references
-- have the reference set 'none'.
with

pairs as (

    select * from {{ ref('system_pairs') }}

),

scores as (

    select * from {{ ref('sentence_scores') }}

),

ingested as (

    select * from {{ ref('stg_corpus__sentence_scores') }}

)

select
    pairs.corpus,
    pairs.reference_set,
    pairs.system,
    pairs.sentence_id,
    scores.metric,
    scores.score

from pairs
inner join scores on pairs.pair_id = scores.pair_id

union all

select
    corpus,
    coalesce(reference_set, 'none') as reference_set,
    system,
    sentence_id,
    metric,
    score

from ingested
