-- The corpus scores of adversarial outputs, and their ranks among the real systems.
with

compared as (

    select
        adversarial.*,
        if(directions.higher_is_better, 1, -1)
        * (systems.corpus_score - adversarial.corpus_score) as lead_of_system

    from {{ ref('system_corpus_scores') }} as adversarial
    inner join {{ ref('system_corpus_scores') }} as systems using (corpus, reference_set, metric)
    inner join {{ ref('metric_directions') }} as directions using (metric)
    where adversarial.kind = 'adversarial' and systems.kind = 'system'

)

select
    corpus,
    reference_set,
    metric,
    system,
    corpus_score,
    (count(*) filter (where lead_of_system > 0) + 1)::integer as rank,
    count(*)::integer as n_systems,
    (count(*) filter (where lead_of_system < 0))::integer as n_beaten

from compared
group by all
