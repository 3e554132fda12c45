-- How many references of each sentence to collect: for a share of its valid corrections, and until
-- others would put the systems into the same order.
select * from {{ ref('needed_references') }}
