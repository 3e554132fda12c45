-- What fools a metric: the scores of outputs that are made by rule, and where they would rank among
-- the real ones.
with

directions as (

    select distinct
        metric,
        direction

    from {{ ref('metric_registry') }}

)

select
    adversarial.corpus,
    adversarial.reference_set,
    adversarial.metric,
    adversarial.system,
    adversarial.corpus_score,
    (count(*) filter (
        where directions.direction * (systems.corpus_score - adversarial.corpus_score) > 0
    ) + 1)::integer as rank,
    count(*)::integer as n_systems,
    (count(*) filter (
        where directions.direction * (systems.corpus_score - adversarial.corpus_score) < 0
    ))::integer as n_beaten

from {{ ref('adversarial_corpus_scores') }} as adversarial
inner join directions on adversarial.metric = directions.metric
inner join {{ ref('system_corpus_scores') }} as systems
    on
        adversarial.corpus = systems.corpus
        and adversarial.reference_set = systems.reference_set
        and adversarial.metric = systems.metric
group by
    adversarial.corpus,
    adversarial.reference_set,
    adversarial.metric,
    adversarial.system,
    adversarial.corpus_score
