-- Systems of a judgment set, ranked by its judges and, among the same systems, by each metric.
with

{references_shown: system_scores},

judges as (

    select corpus, judgment_set, system, rank
    from human_scores
    where method = 'trueskill' and system_set = 'base'

),

by_metric as (

    select
        judges.corpus, judges.judgment_set, system_scores.metric, judges.system,
        rank() over (
            partition by judges.corpus, judges.judgment_set, system_scores.metric
            order by
                if(coalesce(metrics.higher_is_better, true), -1, 1) * system_scores.corpus_score
        ) as rank,
        judges.rank as human_rank
    from judges
    inner join system_scores
        on judges.corpus = system_scores.corpus and judges.system = system_scores.system
    inner join references_shown
        on
            system_scores.corpus = references_shown.corpus
            and system_scores.reference_set = references_shown.reference_set
    left join metrics on system_scores.metric = metrics.metric
    where system_scores.corpus_score is not null

),

with_distance as (

    select
        *,
        avg(abs(rank - human_rank)) over (partition by corpus, judgment_set, metric) as distance
    from by_metric

)

select corpus, judgment_set, 'judges' as metric, system, rank, rank as human_rank, -1 as distance
from judges
union all
select corpus, judgment_set, metric, system, rank, human_rank, distance
from with_distance
order by corpus, judgment_set, distance, metric, human_rank, system
