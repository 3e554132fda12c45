select
    corpus, mode, metric, n_models, n_draws,
    rho_median, rho_low, rho_high, rho_min, rho_max,
    spearman_rho as rho_of_first_draw
from corpus_correlations
where experiment = 'random_source' and rho_median is not null
order by corpus, mode desc, rho_median desc, rho_low desc, metric
