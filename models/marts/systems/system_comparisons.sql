-- Every two systems by every metric: how far apart they are, and how sure that is.
select
    corpus,
    reference_set,
    metric,
    system_a,
    system_b,
    rank_a,
    rank_b,
    difference,
    ci_low,
    ci_high,
    p,
    p_holm,
    are_neighbours

from {{ ref('system_differences') }}
