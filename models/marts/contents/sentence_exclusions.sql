-- What is left out, of what, and why: a sentence of everything, a sentence or an annotation of
-- lattices, a sentence without references of scores, an output of the scores of one metric.
with

annotations as (

    select * from {{ ref('lattice_annotations') }}

),

with_outputs as (

    select distinct corpus from {{ ref('usable_outputs') }}

),

of_everything as (

    select
        corpus,
        sentence_id,
        'corpus' as stage,
        reason,
        remedy

    from {{ ref('unusable_sentences') }}

),

sentences_of_lattices as (

    select distinct
        corpus,
        sentence_id,
        'lattices' as stage,
        mode,
        sentence_exclusion as reason

    from annotations
    where sentence_exclusion is not null

),

annotations_of_lattices as (

    select
        corpus,
        sentence_id,
        annotator,
        'lattices' as stage,
        mode,
        annotation_exclusion as reason,
        annotation_remedy as remedy

    from annotations
    where sentence_exclusion is null and annotation_exclusion is not null

),

-- In no reference set, or not in all.
without_references as (

    select
        sentences.corpus,
        sentences.sentence_id,
        'scores' as stage,
        'nobody gave a reference of it in '
        || string_agg(sets.reference_set, ', ' order by sets.reference_set) as reason

    from {{ ref('usable_sentences') }} as sentences
    inner join with_outputs using (corpus)
    inner join {{ source('raw', 'reference_sets') }} as sets
        on sentences.corpus = sets.corpus
    left join {{ ref('reference_lists') }} as lists
        on
            sets.corpus = lists.corpus
            and sets.reference_set = lists.reference_set
            and sentences.sentence_id = lists.sentence_id
    where lists.corpus is null
    group by sentences.corpus, sentences.sentence_id

),

missing_outside as (

    select
        corpus,
        sentence_id,
        system,
        metric,
        'scores' as stage,
        if(
            bool_or(is_system_scored),
            'no score was ingested: of this metric the sentence counts for no system',
            'no score was ingested for any sentence of the system'
        ) as reason,
        'add the score to the file that the manifest names under scores' as remedy

    from {{ ref('missing_scores') }}
    group by corpus, sentence_id, system, metric

),

of_faulty_metrics as (

    select distinct
        scores.corpus,
        scores.sentence_id,
        scores.system,
        scores.metric,
        'scores' as stage,
        metrics.fault as reason,
        'give the metric another name under scores in the manifest' as remedy

    from {{ source('raw', 'sentence_scores') }} as scores
    inner join {{ ref('ingested_metrics') }} as metrics using (corpus, metric)
    where metrics.fault is not null

),

-- A metric has a row for each of its trainings.
registry as (

    select
        metric,
        any_value(sample_sentences) as sample_sentences,
        list(trained_on) filter (where trained_on is not null) as trained_on,
        list(trained_on_half_of) filter (where trained_on_half_of is not null) as halves

    from {{ ref('metric_registry') }}
    group by metric

),

unscored_outputs as (

    select distinct
        pairs.corpus,
        pairs.sentence_id,
        pairs.system,
        unscored_pairs.metric,
        'scores' as stage,
        case
            when list_contains(registry.halves, pairs.corpus)
                then
                    'the metric was trained on this half of the corpus: the sentence counts for no '
                    || 'system'
            when registry.trained_on is not null or registry.halves is not null
                then
                    'the metric was trained on a corpus that has the same texts: the sentence '
                    || 'counts for no system'
            when registry.sample_sentences is not null
                then
                    'the metric has no score for the output, of which it was not asked or which '
                    || 'it failed at: it scores a sample of sentences, and the others count for '
                    || 'no system'
            else 'the metric has no score for the output: the sentence counts for no system'
        end as reason,
        'see metric_failures and metric_availability' as remedy

    from {{ ref('unscored_pairs') }} as unscored_pairs
    inner join {{ ref('system_pairs') }} as pairs using (pair_id)
    left join registry on unscored_pairs.metric = registry.metric
    -- That a metric does not score the corpus of a training is a row of metric_availability.
    where not coalesce(list_contains(registry.trained_on, pairs.corpus), false)

),

excluded as (

    select * from of_everything
    union all by name
    select * from sentences_of_lattices
    union all by name
    select * from annotations_of_lattices
    union all by name
    select * from without_references
    union all by name
    select * from missing_outside
    union all by name
    select * from of_faulty_metrics
    union all by name
    select * from unscored_outputs

)

select
    corpus,
    sentence_id,
    annotator,
    system,
    metric,
    stage,
    mode,
    reason,
    remedy

from excluded
