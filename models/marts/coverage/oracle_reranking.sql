-- What an oracle takes from k-best lists beside more and more references.
select * from {{ ref('reranked_outputs') }}
