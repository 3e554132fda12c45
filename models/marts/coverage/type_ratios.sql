-- Which types of errors systems correct less than annotators do.
select * from {{ ref('correction_ratios') }}
