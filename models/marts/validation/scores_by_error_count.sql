-- Mean score of the originals by the number of errors that an annotator found in them (Figure 5):
-- does a metric compare different sentences sensibly?
with

scores as (

    select * from {{ ref('chain_scores') }}
    where position = 0

),

directions as (

    select distinct
        metric,
        direction

    from {{ ref('metric_registry') }}

),

counted as (

    select
        scores.corpus,
        scores.experiment,
        scores.metric,
        chains.n_edits as n_errors,
        count(*) as n_chains,
        {{ exact_mean('coalesce(directions.direction, 1) * scores.score', 'units.unit') }}
            as mean_score

    from scores
    inner join {{ ref('lattice_chains') }} as chains using (chain_id)
    left join directions using (metric)
    inner join {{ ref('score_units') }} as units using (metric)
    group by all

)

select
    corpus,
    experiment,
    metric,
    n_errors,
    n_chains,
    mean_score

from counted
