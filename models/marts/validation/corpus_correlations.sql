-- How each metric ranks corpora of known quality: the paper's single draw (the first), and beside
-- it what other draws of the same corpora give.
with

first_draws as (

    select * from {{ ref('corpus_correlation_draws') }}
    where draw = 0

)

select
    first_draws.corpus,
    first_draws.mode,
    first_draws.experiment,
    first_draws.metric,
    first_draws.n_models,
    ranges.too_few,
    first_draws.spearman_rho,
    first_draws.pearson_r,
    ranges.n_draws,
    ranges.n_scored_draws,
    ranges.draws_median,
    ranges.draws_low,
    ranges.draws_high,
    ranges.draws_min,
    ranges.draws_max,
    ranges.chance_median,
    ranges.chance_low,
    ranges.chance_high,
    ranges.chance_p_value,
    ranges.chance_q_value,
    ranges.n_resamples,
    {{ lattice_origin('lattices_from', 'first_draws') }},
    {{ lattice_origin('references_mode', 'first_draws') }}

from first_draws
inner join {{ ref('corpus_correlation_ranges') }} as ranges using (corpus, mode, experiment, metric)
