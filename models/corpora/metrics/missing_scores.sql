-- Outputs without a score from a metric that was scored elsewhere.
with

scores as (

    select scores.*

    from {{ source('raw', 'sentence_scores') }} as scores
    inner join {{ ref('ingested_metrics') }} as metrics using (corpus, metric)
    where metrics.fault is null

),

metrics as (

    select
        corpus,
        metric,
        reference_set,
        list(distinct system) as systems

    from scores
    group by corpus, metric, reference_set

)

select
    metrics.corpus,
    metrics.metric,
    metrics.reference_set,
    outputs.system,
    outputs.sentence_id,
    list_contains(metrics.systems, outputs.system) as is_system_scored

from metrics
inner join {{ ref('usable_outputs') }} as outputs using (corpus)
anti join scores
    on
        metrics.corpus = scores.corpus
        and metrics.metric = scores.metric
        and metrics.reference_set is not distinct from scores.reference_set
        and outputs.system = scores.system
        and outputs.sentence_id = scores.sentence_id
