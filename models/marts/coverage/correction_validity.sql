-- What judges say of a crowd's corrections, by how many of the crowd wrote them.
select * from {{ ref('validity_shares') }}
