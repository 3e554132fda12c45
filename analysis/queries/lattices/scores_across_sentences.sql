-- Does a metric compare different sentences sensibly (Figure 5)? An original with more errors
-- should score lower: the slope of the original's score in its number of errors, over chains.
-- Chains of one sentence share it, so the p-value is too small.
with

scores as (

    select * from main.node_scores
    where experiment = 'random_source'

),

nodes as (

    select * from main.lattice_nodes

),

chains as (

    select
        scores.corpus,
        scores.metric,
        scores.chain_id,
        max(nodes.n_edits) as n_errors,
        max(scores.score) filter (where scores.position = 0) as original_score

    from scores
    inner join nodes on scores.node_id = nodes.node_id
    group by all

),

fitted as (

    select
        corpus,
        metric,
        count(*) as n_chains,
        round(regr_slope(original_score, n_errors), 4) as slope_per_error,
        round(regr_intercept(original_score, n_errors), 3) as score_without_errors,
        corr(original_score, n_errors) as r

    from chains
    group by all

),

tested as (

    select
        * replace (round(r, 3) as r),
        round(correlation_p(r, n_chains), 4) as p,
        if(slope_per_error < 0, 'falls with errors', 'rises with errors') as verdict

    from fitted

)

select * from tested
order by corpus, slope_per_error, metric
