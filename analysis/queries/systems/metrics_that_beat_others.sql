-- Which metrics correlate significantly better with the judges than other metrics? PERM-BOTH over
-- systems and sentences, two-sided; q is Benjamini and Hochberg's over all pairs of metrics with
-- the same references. The 30 smallest.
with

comparisons as (

    select * from main.metric_comparisons
    where level = 'system' and method = 'expected_wins' and test = 'perm_both'

),

tested as (

    select
        corpus,
        judgment_set,
        reference_set,
        if(direction = 'a', metric_a, metric_b) as better_metric,
        if(direction = 'a', metric_b, metric_a) as other_metric,
        n as n_systems,
        round(greatest(estimate_a, estimate_b), 3) as better_r,
        round(least(estimate_a, estimate_b), 3) as other_r,
        round(p_value, 4) as p_value,
        round(q_value, 4) as q_value

    from comparisons
    where direction in ('a', 'b') and p_value is not null

)

select * from tested
order by
    q_value asc, p_value asc, corpus asc, judgment_set asc, reference_set asc, better_metric asc,
    other_metric asc
limit 30
