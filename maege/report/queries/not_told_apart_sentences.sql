-- Metrics whose tau does not differ from the tau of the metric of the first rank.
select
    first.corpus,
    first.mode,
    if(metric_a = first.metric, metric_b, metric_a) as metric
from metric_comparisons
inner join sentence_correlations as first
    on
        metric_comparisons.corpus = first.corpus
        and metric_comparisons.mode = first.mode
        and metric_comparisons.experiment = first.experiment
        and first.metric in (metric_a, metric_b)
inner join sentence_correlations as other
    on
        first.corpus = other.corpus
        and first.mode = other.mode
        and first.experiment = other.experiment
        and other.metric = if(metric_a = first.metric, metric_b, metric_a)
where
    level = 'lattice'
    and first.experiment = 'random_source' and first.rank = 1
    and metric_comparisons.measure = 'kendall_tau_maege'
    and other.rank is not null and metric_comparisons.q_value >= 0.05
order by first.corpus, first.mode, other.rank
