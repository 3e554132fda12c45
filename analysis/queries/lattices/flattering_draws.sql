-- For which metrics is the single draw of the eleven corpora better than most draws? Spearman's rho
-- of the first draw (the number that the paper would print) and the range of all draws.
with

correlations as (

    select * from main.corpus_correlations
    where experiment = 'random_source'

),

compared as (

    select
        corpus,
        metric,
        round(spearman_rho, 3) as first_draw,
        round(draws_median, 3) as draws_median,
        round(spearman_rho - draws_median, 3) as flattery,
        round(draws_low, 3) as draws_low,
        round(draws_high, 3) as draws_high,
        round(draws_high - draws_low, 3) as width,
        n_draws

    from correlations

)

select * from compared
order by corpus asc, flattery desc, metric asc
