select
    corpus, metric, kendall_tau_a, ci_low, ci_high, rank, rank_low, rank_high, n_ranked, no_rank,
    verdict, chance_p_value, chance_q_value, too_few, n_sentences, n_effective,
    tau_macro, macro_ci_low, macro_ci_high,
    n_concordant, n_discordant, n_tied, n_pairs,
    strict_accuracy as concordant_share,
    pairwise_accuracy,
    n_discordant / n_pairs as discordant_share,
    tied_share,
    pearson_r, pearson_ci_low, pearson_ci_high,
    within_sentence_r, partial_r
from sentence_correlations
where experiment = 'random_source' and n_pairs > 0
order by corpus, rank nulls last, kendall_tau_a desc, metric
