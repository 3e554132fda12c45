select
    corpus, mode, metric, kendall_tau_maege, ci_low, ci_high, rank, rank_low, rank_high, n_ranked, no_rank,
    chance_median, chance_low, chance_high, chance_q_value, too_few, n_sentences, n_effective,
    goodman_kruskal_gamma, gamma_ci_low, gamma_ci_high,
    kendall_tau_b, tau_macro, macro_ci_low, macro_ci_high,
    n_concordant, n_discordant, n_tied, n_pairs,
    n_concordant / n_pairs as concordant_share,
    n_discordant / n_pairs as discordant_share,
    tied_share,
    pearson_r, pearson_ci_low, pearson_ci_high,
    within_sentence_r, partial_r
from sentence_correlations
where experiment = 'random_source' and n_pairs > 0
order by corpus, mode desc, rank nulls last, kendall_tau_maege desc, metric
