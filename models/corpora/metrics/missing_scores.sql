-- Outputs that a metric whose scores were made elsewhere has no score for.
with

scores as (

    select scores.*

    from {{ source('raw', 'sentence_scores') }} as scores
    inner join {{ ref('ingested_metrics') }} as metrics
        on
            scores.corpus = metrics.corpus
            and scores.metric = metrics.metric
            and metrics.fault is null

),

outputs as (

    select
        corpus,
        system,
        sentence_id

    from {{ ref('usable_outputs') }}

),

scored_sets as (

    select distinct
        corpus,
        metric,
        reference_set

    from scores

),

scored_systems as (

    select distinct
        corpus,
        metric,
        reference_set,
        system

    from scores

)

select
    scored_sets.corpus,
    scored_sets.metric,
    scored_sets.reference_set,
    outputs.system,
    outputs.sentence_id,
    scored_systems.system is not null as is_system_scored

from scored_sets
inner join outputs using (corpus)
left join scored_systems
    on
        scored_sets.corpus = scored_systems.corpus
        and scored_sets.metric = scored_systems.metric
        and scored_sets.reference_set is not distinct from scored_systems.reference_set
        and outputs.system = scored_systems.system
anti join scores
    on
        scored_sets.corpus = scores.corpus
        and scored_sets.metric = scores.metric
        and scored_sets.reference_set is not distinct from scores.reference_set
        and outputs.system = scores.system
        and outputs.sentence_id = scores.sentence_id
