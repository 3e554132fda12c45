select
    corpus, judgment_set, reference_set, metric_a, metric_b, n_systems,
    pearson_a, pearson_b, difference, williams_p, perm_both_p
from metric_comparisons
where method = 'trueskill' and williams_p is not null
order by corpus, judgment_set, reference_set, pearson_a desc, pearson_b desc, metric_a, metric_b
