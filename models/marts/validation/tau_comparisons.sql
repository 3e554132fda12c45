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
    if(is_turned, metric_b, metric_a) as metric_a,
    if(is_turned, metric_a, metric_b) as metric_b,
    n_sentences,
    n_pairs,
    {{ defined('abs(difference)') }} as difference,
    {{ defined('if(is_turned, -ci_high, ci_low)') }} as ci_low,
    {{ defined('if(is_turned, -ci_low, ci_high)') }} as ci_high,
    {{ defined('p') }} as p,
    {{ defined('if(is_turned, -decisive_difference, decisive_difference)') }}
        as decisive_difference,
    {{ defined('if(is_turned, -decisive_ci_high, decisive_ci_low)') }} as decisive_ci_low,
    {{ defined('if(is_turned, -decisive_ci_low, decisive_ci_high)') }} as decisive_ci_high,
    {{ defined('decisive_p') }} as decisive_p,
    {{ lattices_from('differences') }}

from differences
