-- Which systems do judges prefer, and how certain is it? Expected Wins for every set of rankings:
-- the share of its comparisons that a system wins, with the range of its ranks. Systems of one
-- cluster are statistically tied.
with

human_scores as (

    select * from main.human_scores
    where method = 'expected_wins' and system_set = 'all'

),

ranked as (

    select
        corpus,
        judgment_set,
        system,
        n_judgments,
        round(score, 3) as expected_wins,
        rank,
        rank_low,
        rank_high,
        cluster

    from human_scores

)

select * from ranked
order by corpus asc, judgment_set asc, rank asc, system asc
