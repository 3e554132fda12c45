select
    corpus, judgment_set, method, grammaticality_weight, fluency_weight, meaning_weight,
    pearson_r, pearson_ci_low, pearson_ci_high, is_published, is_best_pearson
from weight_surface
where
    system_set = 'base' and chosen_on is null and pearson_r is not null
    -- Steps of 0.05, and the published weights.
    and (
        is_published
        or (round(fluency_weight * 100) % 5 = 0 and round(meaning_weight * 100) % 5 = 0)
    )
order by
    corpus, judgment_set, method desc, grammaticality_weight, fluency_weight, meaning_weight
