-- Outputs against reference sets by number; `fingerprint` names all that their statistics depend
-- on: texts and edits, the names of the references, signatures of the metrics that have more
-- statistics than their score.
select
    (row_number() over (order by corpus, reference_set, system))::integer as output_id,
    corpus,
    reference_set,
    system,
    fingerprint

from {{ ref('output_fingerprints') }}
where reads_outputs
order by output_id
