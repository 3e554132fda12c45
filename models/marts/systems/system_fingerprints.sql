-- Names all that the statistics of a system against a reference set depend on: texts and edits, the
-- names of the references, signatures of the metrics that have more statistics than their score.
select
    corpus,
    reference_set,
    system,
    fingerprint

from {{ ref('output_fingerprints') }}
