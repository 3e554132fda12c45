-- Every two metrics, the one with the higher tau first: is it significantly better?
with

differences as (

    select * from {{ ref('tau_differences') }}

),

better_first as (

    select
        corpus,
        mode,
        experiment,
        metric_a,
        metric_b,
        n_sentences,
        n_pairs,
        difference,
        ci_low,
        ci_high,
        p,
        decisive_difference,
        decisive_ci_low,
        decisive_ci_high,
        decisive_p

    from differences
    where difference >= 0

    union all

    select
        corpus,
        mode,
        experiment,
        metric_b as metric_a,
        metric_a as metric_b,
        n_sentences,
        n_pairs,
        -difference as difference,
        -ci_high as ci_low,
        -ci_low as ci_high,
        p,
        -decisive_difference as decisive_difference,
        -decisive_ci_high as decisive_ci_low,
        -decisive_ci_low as decisive_ci_high,
        decisive_p

    from differences
    where difference < 0

)

select
    corpus,
    mode,
    experiment,
    metric_a,
    metric_b,
    n_sentences,
    n_pairs,
    difference,
    ci_low,
    ci_high,
    p,
    {{ defined('decisive_difference') }} as decisive_difference,
    {{ defined('decisive_ci_low') }} as decisive_ci_low,
    {{ defined('decisive_ci_high') }} as decisive_ci_high,
    {{ defined('decisive_p') }} as decisive_p

from better_first
