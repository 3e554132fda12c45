-- What judges think of the systems: Expected Wins and TrueSkill, with the range of each rank.
select
    corpus,
    judgment_set,
    method,
    system_set,
    system,
    score,
    ci_low,
    ci_high,
    rank,
    rank_low,
    rank_high,
    cluster,
    n_sentences,
    n_judgments,
    n_empty_pairs,
    n_resamples,
    too_few

from {{ ref('human_score_samples') }}
