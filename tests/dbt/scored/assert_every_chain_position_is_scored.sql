-- Every position of every chain has one score of every selected metric in both experiments.
-- Exceptions: inputs that a user metric excludes, fails on or compares, and metrics that weight
-- corrections by systems in corpora without systems. The gold score rises to 1 at the full
-- correction, and is the same for all metrics.
with

positions as (

    select
        corpus,
        count(*) as n_positions,
        count(distinct chain_id) as n_chains

    from {{ ref('chain_nodes') }}
    group by all

),

metrics as (

    select distinct
        metric,
        languages,
        reads_outputs
    from {{ ref('metric_registry') }}
    where is_selected and not reads_other

),

with_outputs as (

    select distinct corpus from {{ ref('usable_outputs') }}

),

unscored as (

    select
        pairs.corpus,
        pairs.experiment,
        unscored_pairs.metric,
        count(*) as n_unscored

    from {{ ref('scored_units') }} as pairs
    inner join {{ ref('unscored_pairs') }} as unscored_pairs
        on pairs.pair_id = unscored_pairs.pair_id
    where pairs.used_in = 'chain'
    group by all

),

experiments as (

    select unnest(['random_source', 'origin_source']) as experiment

),

scores as (

    select
        corpus,
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
    unscored.n_unscored,
    scores.n_scores,
    scores.n_perfect,
    scores.n_impossible

from positions
inner join {{ source('raw', 'corpora') }} as corpora on positions.corpus = corpora.corpus
inner join metrics on {{ reads_language('metrics.languages', 'corpora.language') }}
cross join experiments
left join scores
    on
        positions.corpus = scores.corpus
        and experiments.experiment = scores.experiment
        and metrics.metric = scores.metric
left join unscored
    on
        positions.corpus = unscored.corpus
        and experiments.experiment = unscored.experiment
        and metrics.metric = unscored.metric
where
    (not metrics.reads_outputs or positions.corpus in (from with_outputs))
    and (
        coalesce(scores.n_scores, 0) + coalesce(unscored.n_unscored, 0) <> positions.n_positions
        or (unscored.n_unscored is null and scores.n_perfect < positions.n_chains)
        or scores.n_impossible > 0
    )
