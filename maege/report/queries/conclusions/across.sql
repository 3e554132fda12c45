select
    corpus as compared, language, metric, n_sentences, n_lattices, n_edits,
    tau, tau_ci_low, tau_ci_high,
    standardised_tau, standardised_tau_ci_low, standardised_tau_ci_high,
    over_corrupted, over_corrupted_ci_low, over_corrupted_ci_high,
    endorsed_tau, touched_tau, untouched_tau,
    endorsed_share, touched_share, untouched_share, identical_share
from corpus_comparisons
where references_mode = 'one_other' and not starts_with(metric, 'chance_')
order by language, compared, standardised_tau desc nulls last, tau desc, metric
