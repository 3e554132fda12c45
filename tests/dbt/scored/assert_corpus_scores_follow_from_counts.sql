-- The corpus scores of edit-based metrics follow from the summed counts of all sentences: F0.5 of
-- M2, ERRANT and CLEME, the aspects of CLEME2.0, the improvement of the I-measure.
with

counts as (

    select
        corpus,
        reference_set,
        system,
        metric,
        case
            when metric like 'cleme2%'
                then .45 * hit + .35 * (1 - wrong) + .15 * (1 - under) + .05 * (1 - over)
            when metric like 'imeasure%' then improvement
            else f_score
        end as expected_score

    from {{ ref('edit_metric_scores') }}
    where aspect = 'correction'

),

scores as (

    select
        corpus,
        reference_set,
        system,
        metric,
        corpus_score

    from {{ ref('system_scores') }}
    where metric in (select counts.metric from counts)

)

select
    coalesce(scores.corpus, counts.corpus) as corpus,
    coalesce(scores.reference_set, counts.reference_set) as reference_set,
    coalesce(scores.system, counts.system) as system,
    coalesce(scores.metric, counts.metric) as metric,
    scores.corpus_score,
    counts.expected_score

from scores
full outer join counts
    on
        scores.corpus = counts.corpus
        and scores.reference_set = counts.reference_set
        and scores.system = counts.system
        and scores.metric = counts.metric
where not coalesce(abs(scores.corpus_score - counts.expected_score) < 1e-9, false)
