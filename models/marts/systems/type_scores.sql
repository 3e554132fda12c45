-- ERRANT by error type, with intervals where enough sentences have the type.
with

counts as (

    select
        corpus,
        reference_set,
        system,
        error_type,
        sum(tp)::integer as tp,
        sum(fp)::integer as fp,
        sum(fn)::integer as fn

    from {{ ref('sentence_type_counts') }}
    group by corpus, reference_set, system, error_type

)

select
    counts.corpus,
    counts.reference_set,
    counts.system,
    counts.error_type,
    counts.tp,
    counts.fp,
    counts.fn,
    if(counts.fp = 0, 1.0, counts.tp / (counts.tp + counts.fp)) as precision,
    if(counts.fn = 0, 1.0, counts.tp / (counts.tp + counts.fn)) as recall,
    1.25 * counts.tp / (1.25 * counts.tp + counts.fp + 0.25 * counts.fn) as f_score,
    intervals.n_sentences,
    intervals.ci_low,
    intervals.ci_high,
    intervals.too_few

from counts
inner join {{ ref('type_intervals') }} as intervals
    using (corpus, reference_set, system, error_type)
