-- One score per system output, metric and reference set, with its interval, its rank, and the ranks
-- that are consistent with the tests against all other systems.
with

scores as (

    select * from {{ ref('system_corpus_scores') }}
    where kind = 'system'

),

directions as (

    select * from {{ ref('metric_directions') }}

),

told_apart as (

    select
        differences.corpus,
        differences.reference_set,
        differences.metric,
        if(
            (differences.difference > 0) = directions.higher_is_better,
            differences.system_a,
            differences.system_b
        ) as better,
        if(
            (differences.difference > 0) = directions.higher_is_better,
            differences.system_b,
            differences.system_a
        ) as worse

    from {{ ref('system_comparisons') }} as differences
    inner join directions using (metric)
    where differences.p_holm < 1 - {{ var('confidence_level') }}

),

better as (

    select
        corpus,
        reference_set,
        metric,
        worse as system,
        count(*) as n_better

    from told_apart
    group by all

),

worse as (

    select
        corpus,
        reference_set,
        metric,
        better as system,
        count(*) as n_worse

    from told_apart
    group by all

),

ranked as (

    select
        scores.corpus,
        scores.reference_set,
        scores.system,
        scores.metric,
        scores.corpus_score,
        scores.mean_sentence_score,
        scores.ci_low,
        scores.ci_high,
        scores.n_sentences,
        rank() over (
            of_metric order by if(directions.higher_is_better, -1, 1) * scores.corpus_score
        )::integer as rank,
        1 + coalesce(better.n_better, 0)::integer as rank_low,
        (count(*) over of_metric - coalesce(worse.n_worse, 0))::integer as rank_high,
        {{ too_few('sentences', 'scores.n_sentences') }} as too_few

    from scores
    inner join directions using (metric)
    left join better using (corpus, reference_set, metric, system)
    left join worse using (corpus, reference_set, metric, system)
    window of_metric as (partition by scores.corpus, scores.reference_set, scores.metric)

)

-- With too few sentences there is only an estimate; intervals without width are NULL.
select
    corpus,
    reference_set,
    system,
    metric,
    {{ has_default_references() }} as is_headline,
    corpus_score,
    mean_sentence_score,
    n_sentences,
    if(too_few is null and ci_low < ci_high, ci_low, null) as ci_low,
    if(too_few is null and ci_low < ci_high, ci_high, null) as ci_high,
    if(too_few is null, rank, null) as rank,
    if(too_few is null, rank_low, null) as rank_low,
    if(too_few is null, rank_high, null) as rank_high,
    too_few

from ranked
