-- Where does the published run say the opposite of the paper's own definition? Correlations that
-- have another sign, and error types whose intervals lie on opposite sides of 0.
-- Compares modes, so it needs a build with the variable `replication` (docs/published-runs.md).
with

corpus_level as (

    select
        corpus,
        mode,
        experiment,
        metric,
        'median corpus rho' as statistic,
        draws_median as value

    from main.corpus_correlations

),

sentence_correlations as (

    select * from main.sentence_correlations

),

sentence_level as (

    select
        corpus,
        mode,
        experiment,
        metric,
        'kendall tau' as statistic,
        kendall_tau_a as value

    from sentence_correlations

    union all

    select
        corpus,
        mode,
        experiment,
        metric,
        'sentence r' as statistic,
        pearson_r as value

    from sentence_correlations

),

-- Each mode with its own rule of pairing.
type_level as (

    select
        corpus,
        mode,
        'random_source' as experiment,
        metric,
        'mean delta of ' || error_type as statistic,
        mean_delta as value

    from main.type_deltas
    where
        pair_rule = if(mode = 'paper', 'adjacent', 'from_origin')
        and n_pairs >= 10
        and q_value < 0.05

),

statistics as (

    select * from corpus_level
    union all
    select * from sentence_level
    union all
    select * from type_level

),

by_mode as (

    select
        corpus,
        experiment,
        metric,
        statistic,
        round(max(value) filter (where mode = 'paper'), 4) as paper,
        round(max(value) filter (where mode = 'as_published'), 4) as as_published

    from statistics
    group by all

),

opposed as (

    select * from by_mode
    where sign(paper) * sign(as_published) < 0

)

select * from opposed
order by abs(paper - as_published) desc, corpus asc, experiment asc, metric asc, statistic asc
limit 30
