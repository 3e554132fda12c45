-- How often judges approve of edits, by how many references make them.
select * from {{ ref('verdict_shares') }}
