select corpus, metric, n_errors, n_chains, mean_score
from scores_by_error_count
where experiment = 'random_source' and n_chains >= 3 and mean_score is not null
order by corpus, metric, n_errors
