-- The share of valid corrections that M references hold, in expectation.
select * from {{ ref('coverage_curves') }}
