-- Every two systems by every metric: how far apart they are, and how sure that is.
select
    corpus,
    reference_set,
    metric,
    system_a,
    system_b,
    n_sentences,
    difference,
    ci_low,
    ci_high,
    p_value,
    q_value,
    p_holm,
    n_resamples,
    too_few

from {{ ref('system_differences') }}
