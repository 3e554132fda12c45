-- Which metrics cannot be told from the best at each task?
with

lattices as (

    select * from {{ ref('best_at_lattices') }}

),

judges as (

    select * from {{ ref('best_for_judges') }}

)

select * from lattices
union all
select * from judges
order by task, corpus, judgment_set, estimate desc, metric
