-- What is excluded, from what, and why: a sentence from everything, a sentence or an annotation
-- from lattices, a sentence without references from scores, an output from scores of one metric.
with

metrics as (

    select
        metric,
        any_value(sample_sentences) is not null as is_sampled

    from {{ ref('metric_registry') }}
    group by metric

),

facts as (

    select
        *,
        'corpus' as stage
    from {{ ref('unusable_sentences') }}

    union all by name

    -- If a sentence is excluded, it has one row; else each excluded annotation has one.
    select distinct
        corpus,
        sentence_id,
        'lattices' as stage,
        'lattice_rule' as reason_code,
        if(sentence_exclusion is null, annotator, null) as annotator,
        coalesce(sentence_exclusion, annotation_exclusion) as message,
        if(sentence_exclusion is null, annotation_remedy, null) as advice
    from {{ ref('lattice_annotations') }}
    where message is not null

    union all by name

    select
        sentences.corpus,
        sentences.sentence_id,
        'scores' as stage,
        'no_reference' as reason_code,
        string_agg(sets.reference_set, ', ' order by sets.reference_set) as reference_sets
    from {{ ref('usable_sentences') }} as sentences
    inner join {{ source('raw', 'reference_sets') }} as sets using (corpus)
    anti join {{ ref('reference_lists') }} as lists
        on
            sets.corpus = lists.corpus
            and sets.reference_set = lists.reference_set
            and sentences.sentence_id = lists.sentence_id
    where sentences.corpus in (select outputs.corpus from {{ ref('usable_outputs') }} as outputs)
    group by sentences.corpus, sentences.sentence_id

    union all by name

    select
        corpus,
        sentence_id,
        system,
        metric,
        'scores' as stage,
        if(
            bool_or(is_system_scored), 'score_not_ingested', 'system_not_ingested'
        ) as reason_code
    from {{ ref('missing_scores') }}
    group by corpus, sentence_id, system, metric

    union all by name

    select distinct
        corpus,
        scores.sentence_id,
        scores.system,
        metric,
        'scores' as stage,
        metrics.fault as reason_code,
        metrics.first_corpus as other_corpus
    from {{ source('raw', 'sentence_scores') }} as scores
    inner join {{ ref('ingested_metrics') }} as metrics using (corpus, metric)
    where metrics.fault is not null

    union all by name

    select distinct
        units.corpus,
        units.sentence_id,
        units.system,
        pairs.metric,
        'scores' as stage,
        if(metrics.is_sampled, 'not_in_sample', 'not_scored') as reason_code
    from {{ ref('unscored_pairs') }} as pairs
    inner join {{ ref('scored_units') }} as units using (pair_id)
    left join metrics using (metric)
    where units.used_in = 'system'

)

select
    corpus,
    sentence_id,
    annotator,
    system,
    metric,
    stage,
    reason_code,
    reason,
    remedy

from {{ with_reasons('facts', [
    'n_tokens', 'n_characters', 'n_most_tokens', 'text', 'other_corpus', 'reference_sets',
    'advice', 'message'
]) }}
