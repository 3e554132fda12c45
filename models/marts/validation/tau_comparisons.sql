-- Every two metrics, the one with the higher tau first: is it significantly better?
with

differences as (

    select
        *,
        difference < 0 as is_turned

    from {{ ref('tau_differences') }}

)

select
    corpus,
    mode,
    experiment,
    measure,
    if(is_turned, metric_b, metric_a) as metric_a,
    if(is_turned, metric_a, metric_b) as metric_b,
    n_sentences,
    n_pairs,
    too_few,
    abs(difference) as difference,
    if(is_turned, -ci_high, ci_low) as ci_low,
    if(is_turned, -ci_low, ci_high) as ci_high,
    p_value,
    q_value,
    n_resamples,
    {{ lattices_from('differences') }}

from differences
where difference is not null
