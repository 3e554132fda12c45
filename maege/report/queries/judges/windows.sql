-- Correlations among four systems that are neighbours in the judges' order.
select
    corpus, judgment_set, reference_set, metric,
    cast(split_part(system_set, '_', 3) as integer) + 1 as first_system,
    cast(split_part(system_set, '_', 4) as integer) + 1 as last_system,
    pearson_r
from human_correlations
where
    system_set similar to 'base_window_[0-9]+_[0-9]+' and method = 'trueskill'
    and sentence_set = 'judged' and resampled = 'both' and pearson_r is not null
    and cast(split_part(system_set, '_', 4) as integer)
        - cast(split_part(system_set, '_', 3) as integer) = 3
order by
    corpus, judgment_set, reference_set,
    avg(pearson_r) over (partition by corpus, judgment_set, reference_set, metric) desc,
    metric, first_system
