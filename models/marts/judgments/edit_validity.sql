-- How often judges approve of edits, by how many references make them.
select
    judgment_set,
    task,
    corpus,
    verdict_set,
    reference_set,
    made_by,
    n_edits,
    n_sources,
    n_valid,
    n_optional,
    n_invalid,
    validity,
    ci_low,
    ci_high,
    too_few

from {{ ref('verdict_shares') }}
