-- ERRANT's counts by type add up to those of the corpus score: every edit has one type.
with

by_type as (

    select
        corpus,
        reference_set,
        system,
        sum(tp) as tp,
        sum(fp) as fp,
        sum(fn) as fn

    from {{ ref('type_scores') }}
    group by corpus, reference_set, system

),

totals as (

    select * from {{ ref('edit_metric_scores') }}
    where metric = 'errant'

)

select
    totals.corpus,
    totals.reference_set,
    totals.system,
    totals.tp,
    totals.fp,
    totals.fn,
    by_type.tp as tp_by_type,
    by_type.fp as fp_by_type,
    by_type.fn as fn_by_type

from totals
full outer join by_type
    on
        totals.corpus = by_type.corpus
        and totals.reference_set = by_type.reference_set
        and totals.system = by_type.system
where
    coalesce(totals.tp, 0) is distinct from coalesce(by_type.tp, 0)
    or coalesce(totals.fp, 0) is distinct from coalesce(by_type.fp, 0)
    or coalesce(totals.fn, 0) is distinct from coalesce(by_type.fn, 0)
