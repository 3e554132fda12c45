-- Which metrics cannot be told apart at sentence level? Pairs of metrics whose taus do not differ
-- beyond chance: q-values of the tests of all pairs of metrics. That is no proof that they are
-- equal: the interval of the difference says how far apart they may be.
with

comparisons as (

    select
        corpus,
        metric_a,
        metric_b,
        n_sentences,
        round(difference, 3) as difference,
        round(ci_low, 3) as ci_low,
        round(ci_high, 3) as ci_high,
        round(q_value, 3) as q_value

    from main.metric_comparisons
    where
        level = 'lattice'
        and mode = 'paper'
        and experiment = 'random_source'
        and measure = 'kendall_tau_a'
        and q_value >= 0.05

)

select * from comparisons
order by corpus asc, abs(difference) asc, metric_a asc, metric_b asc
