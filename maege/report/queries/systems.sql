-- References: those that outputs made by rule are scored beside, else those of most metrics.
with

references_shown as (

    select corpus, min_by(reference_set, (not has_tricks, -n_metrics, reference_set)) as reference_set
    from (
        select
            corpus, reference_set, count(distinct metric) as n_metrics,
            (corpus, reference_set) in (
                select (corpus, reference_set) from adversarial_scores
            ) as has_tricks
        from system_scores
        group by corpus, reference_set
    )
    group by corpus

)

select corpus, reference_set, metric, system, corpus_score, ci_low, ci_high, rank
from system_scores
inner join references_shown using (corpus, reference_set)
where corpus_score is not null
order by corpus, metric, rank, system
