-- Every value that people gave outputs.
select * from {{ ref('stg_judged__ratings') }}
