-- What a corrector scores who corrects as the crowd does: the best score that references allow.
select
    corpus,
    mode,
    metric,
    corrector,
    n_references,
    score,
    ci_low,
    ci_high,
    is_expectation,
    reference_set

from {{ ref('perfect_corrector') }}
