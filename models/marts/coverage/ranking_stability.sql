-- Whether another choice of references would put the systems into the same order.
select
    corpus,
    reference_set,
    metric,
    measure,
    n_references,
    share,
    draws_low,
    draws_high,
    n_systems,
    n_choices

from {{ ref('order_stability') }}
