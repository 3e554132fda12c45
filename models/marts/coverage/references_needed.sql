-- How many references of each sentence to collect: for a share of its valid corrections, and until
-- others would put the systems into the same order.
select
    corpus,
    mode,
    reference_set,
    metric,
    measure,
    estimator,
    target_share,
    n_references,
    ci_low,
    ci_high,
    more_than

from {{ ref('needed_references') }}
