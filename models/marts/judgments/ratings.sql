-- Every rating of an output.
select * from {{ source('raw', 'ratings') }}
