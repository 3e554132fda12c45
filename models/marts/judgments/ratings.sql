-- Every value that people gave outputs.
select * from {{ source('raw', 'ratings') }}
