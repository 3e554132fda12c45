select corpus, measure, estimator, n_references, expected_share, ci_low, ci_high
from coverage
where
    sentence_id is null and with_replacement and expected_share is not null and n_references <= 100
order by corpus, measure, estimator, n_references
