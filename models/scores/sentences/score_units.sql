-- The power of ten in which a metric's scores are summed (macros/statistics/exact_mean.sql): the
-- largest score of the metric is between a thousandth and a million times this unit.
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
        -- 1e-306 and its reciprocal are the last ones with full double precision.
        ('1e' || greatest(9 * floor((log10(score) + 3) / 9)::integer, -306))::double
    ) as unit

from largest
