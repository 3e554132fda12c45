-- What judges think of the systems: Expected Wins and TrueSkill, with the range of each rank.
select
    corpus,
    judgment_set,
    method,
    system_set,
    system,
    score,
    list_aggregate(samples, 'quantile_cont', (1 - {{ var('confidence_level') }}) / 2) as ci_low,
    list_aggregate(samples, 'quantile_cont', (1 + {{ var('confidence_level') }}) / 2) as ci_high,
    rank,
    rank_low,
    rank_high,
    cluster,
    n_samples,
    n_judgments,
    n_empty_pairs

from {{ ref('human_score_samples') }}
