-- How each metric ranks corpora of known quality in every draw of these, as points: mart
-- corpus_correlations has their median and their range.
with

draws as (

    select * from {{ ref('corpus_correlation_draws') }}

)

select
    draws.corpus,
    draws.mode,
    draws.experiment,
    draws.metric,
    draws.draw,
    draws.is_redrawn,
    draws.n_models,
    draws.spearman_rho,
    draws.pearson_r,
    {{ lattice_origin('lattices_from', 'draws') }},
    {{ lattice_origin('references_mode', 'draws') }}

from draws
