-- Every pair of metrics in both orders, so that each metric has a row and a column.
with

pairs as (

    select
        corpus, judgment_set, reference_set, metric_a, metric_b, estimate_a, estimate_b,
        difference, p_value, q_value, n
    from metric_comparisons
    where
        level = 'system' and method = 'trueskill' and test = 'perm_both'
        and p_value is not null

),

turned as (

    select * from pairs
    union all by name
    select
        corpus, judgment_set, reference_set, metric_b as metric_a, metric_a as metric_b,
        estimate_b as estimate_a, estimate_a as estimate_b, -difference as difference,
        p_value, q_value, n
    from pairs

)

select *
from turned
where estimate_a > estimate_b or (estimate_a = estimate_b and metric_a < metric_b)
order by corpus, judgment_set, reference_set, estimate_a desc, estimate_b desc, metric_a, metric_b
