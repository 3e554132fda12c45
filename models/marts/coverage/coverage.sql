-- The share of valid corrections that M references hold, in expectation.
select
    corpus,
    mode,
    sentence_id,
    measure,
    estimator,
    with_replacement,
    n_references,
    expected_share,
    ci_low,
    ci_high,
    n_answers,
    note

from {{ ref('coverage_curves') }}
