references_shown as (

    select corpus, min_by(reference_set, (not has_adversarial, -n_metrics, reference_set)) as reference_set
    from (
        select
            corpus, reference_set, count(distinct metric) as n_metrics,
            (corpus, reference_set) in (
                select (corpus, reference_set) from adversarial_scores
            ) as has_adversarial
        from {scores}
        group by corpus, reference_set
    )
    group by corpus

)
