-- How much systems change, beside references and annotators.
select
    corpus,
    mode,
    corrector_kind,
    corrector,
    measure,
    bin,
    n_sentences,
    value,
    ci_low,
    ci_high

from {{ ref('corrector_profiles') }}
