-- Which systems do judges prefer to the others, and against how many others is nothing decided?
-- Expected Wins (expected_wins) of every set of rankings; a pair without a decision adds 0 to both
-- systems, as in the published programs, so that such a score is too low.
with

judged_pairs as (

    select * from {{ ref('judged_pairs') }}

),

scores as (

    select
        corpus,
        judgment_set,
        count(*) as n_pairs,
        unnest(expected_wins(list(system_a), list(system_b), list(preference))) as answer

    from judged_pairs
    group by corpus, judgment_set

),

ranked as (

    select
        scores.corpus,
        scores.judgment_set,
        scores.n_pairs,
        scores.answer.system,
        round(scores.answer.score, 3) as expected_wins,
        scores.answer.undecided as undecided_opponents,
        rank() over (
            partition by scores.corpus, scores.judgment_set
            order by scores.answer.score desc
        ) as system_rank

    from scores

)

select * from ranked
order by corpus asc, judgment_set asc, system_rank asc, system asc
