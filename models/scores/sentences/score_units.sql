-- The power of ten in which sums of a metric's scores count (macros/statistics/exact_mean.sql): the
-- largest score of the metric lies between a thousandth and a million of it.
with

largest as (

    select
        metric,
        max(abs(score)) as score

    from {{ ref('scores_and_chance') }}
    group by metric

)

select
    metric,
    if(
        score = 0,
        1.0,
        -- 1e-306 and its reciprocal are the last that a double holds in full.
        ('1e' || greatest(9 * floor((log10(score) + 3) / 9)::integer, -306))::double
    ) as unit

from largest
