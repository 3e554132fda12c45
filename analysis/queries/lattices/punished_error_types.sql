-- Which error types does a metric punish on every corpus, although each correction is valid? An
-- interval below 0 means "punished", one above 0 "rewarded"; "everywhere" is every corpus with at
-- least ten pairs of the type. With fewer pairs, a bootstrap may depend on a single sentence, and
-- its interval then has no width.
with

deltas as (

    select * from main.type_deltas
    where
        pair_rule = 'adjacent'
        and metric = 'gleu'
        and n_pairs >= 10

),

by_type as (

    select
        error_type,
        count(*) as n_corpora,
        count(*) filter (where ci_high < 0) as n_punished,
        count(*) filter (where ci_low > 0) as n_rewarded,
        sum(n_pairs)::bigint as n_pairs,
        round(min(mean_delta), 4) as lowest_mean_delta,
        round(max(mean_delta), 4) as highest_mean_delta

    from deltas
    group by all

),

verdicts as (

    select
        *,
        case
            when n_punished = n_corpora then 'punished everywhere'
            when n_rewarded = n_corpora then 'rewarded everywhere'
            when n_punished > 0 and n_rewarded > 0 then 'punished here, rewarded there'
            when n_punished > 0 then 'punished on some'
            when n_rewarded > 0 then 'rewarded on some'
            else 'undecided'
        end as verdict

    from by_type

)

select * from verdicts
order by n_punished desc, n_rewarded asc, lowest_mean_delta asc
