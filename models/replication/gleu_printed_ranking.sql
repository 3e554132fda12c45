-- How far the rankings of the GLEU paper are from its human ranking: from the places as it prints
-- them, and from those recomputed here (`corrected`).
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

agreements as (

    select
        places.origin,
        places.metric,
        {{ defined('corr(places.place, human.place)') }} as rho,
        avg(abs(places.place - human.place)) as mean_rank_difference

    from places
    inner join places as human
        on
            places.origin = human.origin
            and places.system = human.system
    where human.metric = 'human' and places.metric <> 'human'
    group by places.origin, places.metric

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
