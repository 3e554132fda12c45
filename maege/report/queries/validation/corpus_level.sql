select
    corpus, metric, n_models, n_draws, n_scored_draws,
    draws_median, draws_low, draws_high, draws_min, draws_max,
    chance_low, chance_high, chance_q_value,
    spearman_rho as rho_of_first_draw
from corpus_correlations
where experiment = 'random_source' and draws_median is not null
order by corpus, draws_median desc, draws_low desc, metric
