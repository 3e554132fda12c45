-- Which metrics does a single draw of the eleven corpora flatter, and how little does one draw
-- decide? rho of the first draw (what the paper would print) against the range of all draws.
with

correlations as (

    select * from main.corpus_correlations
    where mode = 'paper' and experiment = 'random_source'

),

compared as (

    select
        corpus,
        metric,
        round(spearman_rho, 3) as first_draw,
        round(rho_median, 3) as rho_median,
        round(spearman_rho - rho_median, 3) as flattery,
        round(rho_low, 3) as rho_low,
        round(rho_high, 3) as rho_high,
        round(rho_high - rho_low, 3) as width,
        n_draws

    from correlations

)

select * from compared
order by corpus asc, flattery desc, metric asc
