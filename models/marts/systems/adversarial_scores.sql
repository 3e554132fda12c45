-- What fools a metric: the scores of outputs that are made by rule, and where they would rank among
-- the real ones.
with

tricks as (

    select * from {{ ref('adversarial_corpus_scores') }}

),

systems as (

    select * from {{ ref('system_corpus_scores') }}

),

directions as (

    select distinct
        metric,
        direction

    from {{ ref('metric_registry') }}

)

select
    tricks.corpus,
    tricks.reference_set,
    tricks.metric,
    tricks.trick,
    tricks.corpus_score as score,
    (count(*) filter (
        where directions.direction * (systems.corpus_score - tricks.corpus_score) > 0
    ) + 1)::integer as would_rank,
    count(*)::integer as n_systems,
    (count(*) filter (
        where directions.direction * (systems.corpus_score - tricks.corpus_score) < 0
    ))::integer as n_beaten

from tricks
inner join directions on tricks.metric = directions.metric
inner join systems
    on
        tricks.corpus = systems.corpus
        and tricks.reference_set = systems.reference_set
        and tricks.metric = systems.metric
group by
    tricks.corpus, tricks.reference_set, tricks.metric, tricks.trick, tricks.corpus_score
