-- Tables 10 and 11 of the I-measure paper, on the annotations with alternative answers and on all
-- sentences.
with

scores as (

    select * from {{ ref('edit_metric_scores') }}
    where corpus = 'conll14' and reference_set = 'nucle_alt' and aspect = 'correction'

),

-- The paper prints F.5, where its program reports F1.
percentages as (

    select
        metric,
        system,
        tp::double as tp,
        tn::double as tn,
        fp::double as fp,
        fn::double as fn,
        fpn::double as fpn,
        100 * p as p,
        100 * r as r,
        if(p + r = 0, 0.0, 100 * 1.25 * p * r / (0.25 * p + r)) as f,
        100 * acc as acc,
        100 * wacc as wacc,
        100 * base_wacc as base_wacc,
        100 * improvement as improvement

    from scores

),

long_scores as (

    unpivot percentages
    on tp, tn, fp, fn, fpn, p, r, f, acc, wacc, base_wacc, improvement
    into name column_label value reproduced

)

select
    if(metric = 'm2', 'table_10', 'table_11') as exhibit,
    system as row_label,
    column_label,
    reproduced,
    reproduced as corrected

from long_scores
where
    metric = 'imeasure_mix'
    or (metric = 'm2' and column_label in ('p', 'r', 'f'))
