-- How far the rankings of the GLEU paper are from its human ranking: from the places as it prints
-- them, and from those recomputed here (`corrected`). Sums of places are exact in any order of
-- rows, which corr() is not: rho is made of them.
with

printed as (

    select
        row_label as system,
        column_label as metric,
        published::double as place

    from {{ ref('rankings_published') }}
    where paper = 'gleu' and exhibit = 'ranking'

),

recomputed as (

    select
        row_label as system,
        column_label as metric,
        reproduced::double as place

    from {{ ref('human_ranking_scores') }}
    where paper = 'gleu' and exhibit = 'ranking'

),

places as (

    select
        'reproduced' as origin,
        *
    from printed
    union all
    select
        'corrected' as origin,
        *
    from recomputed

),

sums as (

    select
        places.origin,
        places.metric,
        count(*) as n,
        sum(places.place) as x,
        sum(human.place) as y,
        sum(places.place * human.place) as xy,
        sum(places.place * places.place) as xx,
        sum(human.place * human.place) as yy,
        avg(abs(places.place - human.place)) as mean_rank_difference

    from places
    inner join places as human using (origin, system)
    where human.metric = 'human' and places.metric <> 'human'
    group by places.origin, places.metric

),

agreements as (

    select
        origin,
        metric,
        (n * xy - x * y) / nullif(sqrt((n * xx - x * x) * (n * yy - y * y)), 0) as rho,
        mean_rank_difference
    from sums

),

long_agreements as (

    unpivot agreements on rho, mean_rank_difference into name column_label value agreement

)

select
    if(column_label = 'rho', 'correlations', 'text') as exhibit,
    metric as row_label,
    column_label,
    max(agreement) filter (where origin = 'reproduced') as reproduced,
    max(agreement) filter (where origin = 'corrected') as corrected

from long_agreements
group by metric, column_label
