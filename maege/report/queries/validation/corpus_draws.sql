select corpus, mode, metric, list(spearman_rho order by draw) as draws
from corpus_draws
where experiment = 'random_source' and spearman_rho is not null
group by corpus, mode, metric
order by corpus, mode desc, metric
