-- Every position of every chain has one score of every selected metric in both experiments; the
-- gold score rises to 1 at the full correction, and is the same whatever the metric.
with

positions as (

    select
        corpus,
        mode,
        count(*) as n_positions,
        count(distinct chain_id) as n_chains

    from {{ ref('chain_nodes') }}
    group by all

),

metrics as (

    select distinct metric from {{ ref('metric_registry') }}
    where is_selected

),

experiments as (

    select unnest(['random_source', 'origin_source']) as experiment

),

scores as (

    select
        corpus,
        mode,
        experiment,
        metric,
        count(score) as n_scores,
        count(*) filter (where gold_score = 1) as n_perfect,
        count(*) filter (where gold_score > 1 or not isfinite(score)) as n_impossible

    from {{ ref('node_scores') }}
    group by all

)

select
    positions.*,
    experiments.experiment,
    metrics.metric,
    scores.n_scores,
    scores.n_perfect,
    scores.n_impossible

from positions
cross join metrics
cross join experiments
left join scores
    on
        positions.corpus = scores.corpus
        and positions.mode = scores.mode
        and experiments.experiment = scores.experiment
        and metrics.metric = scores.metric
where
    scores.n_scores is distinct from positions.n_positions
    or scores.n_perfect < positions.n_chains
    or scores.n_impossible > 0
