-- Which systems have another rank with other references? For every metric the best and the worst
-- rank of a system, and the references that give it.
with

system_scores as (

    select * from main.system_scores

),

extremes as (

    select
        corpus,
        metric,
        system,
        count(*) as n_reference_sets,
        min(rank) as best_rank,
        arg_min(reference_set, (rank, reference_set)) as best_with,
        max(rank) as worst_rank,
        arg_max(reference_set, (rank, reference_set)) as worst_with,
        max(rank) - min(rank) as places

    from system_scores
    group by all

),

movers as (

    select * from extremes
    where places > 0

)

select * from movers
order by places desc, corpus asc, metric asc, system asc
limit 20
