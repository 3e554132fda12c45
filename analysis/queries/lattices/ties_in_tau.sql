-- How much of tau is ties? The paper counts a pair with equal scores as agreement, so that
-- tau = (C - D) / P + T / P: the part that the metric decides, and the part it never decided.
with

correlations as (

    select * from main.sentence_correlations
    where experiment = 'random_source'

),

parts as (

    select
        corpus,
        mode,
        metric,
        n_pairs,
        n_tied,
        round(kendall_tau_maege, 4) as kendall_tau_maege,
        round((n_concordant - n_discordant) / n_pairs, 4) as decided_part,
        round(tied_share, 4) as tied_part,
        round(goodman_kruskal_gamma, 4) as goodman_kruskal_gamma,
        round(kendall_tau_maege - goodman_kruskal_gamma, 4) as gained_by_ties

    from correlations

)

select * from parts
order by corpus asc, mode asc, gained_by_ties desc, metric asc
