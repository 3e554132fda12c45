-- Whether metrics and chance tell approved edits from rejected ones.
select
    judgment_set,
    task,
    corpus,
    verdict_set,
    reference_set,
    metric,
    n_edits,
    n_sources,
    n_valid,
    n_optional,
    n_invalid,
    valid_up,
    valid_tied,
    valid_down,
    invalid_up,
    invalid_tied,
    invalid_down,
    auc,
    ci_low,
    ci_high,
    severity_r,
    severity_rho,
    ceiling,
    too_few

from {{ ref('edit_verdict_agreement') }}
