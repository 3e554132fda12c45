-- How much of the paper's tau is ties? The paper counts a pair with equal scores as agreement, so
-- that its tau is (C - D) / P + T / P: the part that the metric decides, kendall_tau_a, and the
-- share of pairs that the metric never decided.
with

correlations as (

    select * from main.sentence_correlations
    where experiment = 'random_source'

),

parts as (

    select
        corpus,
        metric,
        n_pairs,
        n_tied,
        round(kendall_tau_maege, 4) as kendall_tau_maege,
        round(kendall_tau_a, 4) as kendall_tau_a,
        round(tied_share, 4) as tied_share,
        verdict

    from correlations

)

select * from parts
order by corpus asc, tied_share desc, metric asc
