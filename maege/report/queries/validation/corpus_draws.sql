select corpus, metric, list(spearman_rho order by draw) as draws
from corpus_draws
where experiment = 'random_source' and spearman_rho is not null
group by corpus, metric
order by corpus, metric
