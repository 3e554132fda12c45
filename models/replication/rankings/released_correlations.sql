-- Pearson's r of metrics with the human scores as released: one row per judgment set, method,
-- reference set, sentences, choice of systems and metric.
with

scores as (

    select
        judgment_set,
        method,
        reference_set,
        sentence_set,
        system_set,
        metric,
        unnest(systems) as system,
        unnest(scores) as score

    from {{ ref('human_metric_correlations') }}
    -- Rows with other values of `resampled` have the same scores.
    where resampled = 'judgments' and judgment_set in ('gjg15', 'seeda_edit', 'seeda_sent')

)

select
    scores.judgment_set,
    scores.method,
    scores.reference_set,
    scores.sentence_set,
    scores.system_set,
    scores.metric,
    {{ defined('corr(released.human_score, scores.score order by scores.system)') }} as pearson_r

from scores
inner join {{ ref('released_human_scores') }} as released using (judgment_set, method, system)
group by all
