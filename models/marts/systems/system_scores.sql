-- One score per system output, metric and reference set, with its interval and rank.
select * from {{ ref('ranked_systems') }}
