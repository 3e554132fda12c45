with

deltas as (

    select
        corpus, metric, error_type, n_pairs, mean_delta, ci_low, ci_high, q_value,
        mean_delta
            / nullif(max(abs(mean_delta)) over (partition by corpus, metric), 0)
            as relative_delta
    from type_deltas
    where pair_rule = 'adjacent' and n_pairs >= 10

)

select
    *,
    coalesce(q_value >= 0.05, true) as may_be_chance,
    avg(if(starts_with(metric, 'chance_'), null, relative_delta))
        over (partition by corpus, error_type) as type_mean
from deltas
order by corpus, type_mean desc, error_type, metric
