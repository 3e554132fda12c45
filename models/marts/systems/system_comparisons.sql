-- Every two systems by every metric: how far apart they are, and how sure that is.
select * from {{ ref('system_differences') }}
