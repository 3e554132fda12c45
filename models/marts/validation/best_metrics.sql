-- Which metrics cannot be told from the best at each task?
select * from {{ ref('best_at_lattices') }}
union all by name
select * from {{ ref('best_for_judges') }}
