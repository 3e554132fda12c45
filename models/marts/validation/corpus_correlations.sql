-- How each metric ranks corpora of known quality: the paper's single draw (the first), and beside
-- it what other draws of the same corpora give.
with

draws as (

    select * from {{ ref('corpus_correlation_draws') }}

),

first_draws as (

    select * from draws
    where draw = 0

),

ranges as (

    select
        corpus,
        mode,
        experiment,
        metric,
        count(*)::integer as n_draws,
        median(spearman_rho) as rho_median,
        quantile_cont(spearman_rho, {{ (1 - var('confidence_level')) / 2 }}) as rho_low,
        quantile_cont(spearman_rho, {{ (1 + var('confidence_level')) / 2 }}) as rho_high,
        min(spearman_rho) as rho_min,
        max(spearman_rho) as rho_max

    from draws
    group by all

)

select
    first_draws.corpus,
    first_draws.mode,
    first_draws.experiment,
    first_draws.metric,
    first_draws.n_models,
    first_draws.spearman_rho,
    first_draws.spearman_p,
    first_draws.pearson_r,
    first_draws.pearson_p,
    ranges.n_draws,
    ranges.rho_median,
    ranges.rho_low,
    ranges.rho_high,
    ranges.rho_min,
    ranges.rho_max,
    {{ lattices_from('first_draws') }}

from first_draws
inner join ranges
    on
        first_draws.corpus = ranges.corpus
        and first_draws.mode = ranges.mode
        and first_draws.experiment = ranges.experiment
        and first_draws.metric = ranges.metric
