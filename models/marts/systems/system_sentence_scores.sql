-- The score of every sentence of every system output.
-- Equal scores stand together, which takes half the space.
select * from {{ ref('output_scores') }}
