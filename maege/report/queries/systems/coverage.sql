select corpus, mode, measure, estimator, n_references, expected_share, ci_low, ci_high
from coverage
where
    mode = 'paper' and sentence_id is null and with_replacement and expected_share is not null and n_references <= 100
order by corpus, mode desc, measure, estimator, n_references
