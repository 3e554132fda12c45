select
    corpus, mode, metric, kendall_tau, ci_low, ci_high, place, n_places, no_place,
    decisive_tau, decisive_ci_low, decisive_ci_high,
    concordant, discordant, tied, n_pairs,
    concordant / n_pairs as concordant_share,
    discordant / n_pairs as discordant_share,
    tied_share,
    pearson_r
from sentence_correlations
where experiment = 'random_source' and n_pairs > 0
order by corpus, mode desc, place nulls last, kendall_tau desc, metric
