-- How metrics score one more edit, by the number of the references they read that make it.
select
    corpus,
    metric,
    stratum as made_by,
    n_sentences,
    n_pairs,
    n_concordant,
    n_discordant,
    n_tied,
    too_few,
    kendall_tau_a,
    ci_low,
    ci_high,
    kendall_tau_maege,
    goodman_kruskal_gamma,
    gamma_ci_low,
    gamma_ci_high

from {{ ref('pair_agreement') }}
where question = 'shared_edits'
