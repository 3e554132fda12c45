-- ERRANT by error type, with intervals where enough sentences have the type. Where it has no types
-- for the language the annotators' count, and an edit that they lack is known by its operation
-- alone: precision by type is not to be had, recall is.
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

),

intervals as (

    select * from {{ ref('type_intervals') }}

),

corpora as (

    select
        corpora.corpus,
        extractors.has_types

    from {{ ref('stg_corpus__corpora') }} as corpora
    inner join {{ ref('edit_extractor') }} as extractors on corpora.language = extractors.language

)

select
    counts.corpus,
    counts.reference_set,
    counts.system,
    counts.error_type,
    counts.tp,
    counts.fp,
    counts.fn,
    case
        when not corpora.has_types then null
        when counts.fp = 0 then 1.0
        else counts.tp / (counts.tp + counts.fp)
    end as precision,
    case
        when not corpora.has_types and counts.tp + counts.fn = 0 then null
        when counts.fn = 0 then 1.0
        else counts.tp / (counts.tp + counts.fn)
    end as recall,
    if(
        corpora.has_types,
        1.25 * counts.tp / (1.25 * counts.tp + counts.fp + 0.25 * counts.fn),
        null
    ) as f_score,
    intervals.n_sentences,
    if(corpora.has_types, intervals.ci_low, null) as ci_low,
    if(corpora.has_types, intervals.ci_high, null) as ci_high,
    intervals.too_few

from counts
inner join corpora on counts.corpus = corpora.corpus
inner join intervals
    on
        counts.corpus = intervals.corpus
        and counts.reference_set = intervals.reference_set
        and counts.system = intervals.system
        and counts.error_type = intervals.error_type
