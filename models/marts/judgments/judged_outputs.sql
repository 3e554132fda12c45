-- What was judged: texts, with what else they are.
select * from {{ ref('judged_texts') }}
