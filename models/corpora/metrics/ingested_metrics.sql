-- Metrics whose scores were ingested with a corpus, with the reason code if the scores cannot be
-- used: the name is taken, or the direction differs from that in the first corpus with the metric.
with

scores as (

    select distinct
        corpus,
        metric,
        higher_is_better

    from {{ source('raw', 'sentence_scores') }}

),

directions as (

    select
        *,
        first_value(corpus) over by_corpus as first_corpus,
        first_value(higher_is_better) over by_corpus as first_direction

    from scores
    window by_corpus as (partition by metric order by corpus)

)

select
    corpus,
    metric,
    higher_is_better,
    first_corpus,
    case
        when metric in (select registry.metric from {{ ref('metric_registry') }} as registry)
            then 'metric_name_taken'
        when higher_is_better and not first_direction then 'lower_is_better_elsewhere'
        when not higher_is_better and first_direction then 'higher_is_better_elsewhere'
    end as fault

from directions
