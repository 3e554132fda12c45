-- Every list of statistics that any output has, once: most outputs share theirs with others.
with

lists as (

    select
        counts,
        reals,
        min(metric) as metric,
        min(sentence_id) as sentence_id

    from {{ ref('statistic_lists') }}
    group by counts, reals

)

select
    (row_number() over (order by metric, sentence_id, counts, reals))::integer as values_id,
    counts,
    reals

from lists
order by values_id
