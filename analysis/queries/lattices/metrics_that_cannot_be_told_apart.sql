-- Which metrics are statistically tied at sentence level? The 100 pairs of metrics with the
-- smallest differences of tau that are not significant, by q-values of the tests of all pairs.
-- A tie does not prove that two metrics are equal: the confidence interval of the difference shows
-- how large it may be.
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
        level = 'sentence'
        and experiment = 'random_source'
        and measure = 'kendall_tau_a'
        and q_value >= 0.05

)

select * from comparisons
order by abs(difference) asc, corpus asc, metric_a asc, metric_b asc
limit 100
