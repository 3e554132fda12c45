select
    corpus, judgment_set, method, system, score, ci_low, ci_high, rank, rank_low, rank_high, cluster,
    too_few
from human_scores
where system_set = 'base'
order by corpus, judgment_set, method desc, rank, system
