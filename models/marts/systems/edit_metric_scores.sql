-- The counts behind the corpus scores of edit-based metrics, and what their authors make of them.
select
    corpus,
    reference_set,
    system,
    metric,
    aspect,
    tp,
    tn,
    fp,
    fn,
    fpn,
    p as precision,
    r as recall,
    f as f_score,
    acc as accuracy,
    wacc,
    base_wacc,
    improvement,
    hit,
    wrong,
    under,
    over

from {{ ref('reported_measures') }}
