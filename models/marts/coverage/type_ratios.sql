-- Which types of errors systems correct less than annotators do.
select
    corpus,
    reference_set,
    system,
    error_type,
    n_edits,
    n_reference_edits,
    ratio,
    ci_low,
    ci_high

from {{ ref('correction_ratios') }}
