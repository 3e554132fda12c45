-- The human scores as released, rounded to three digits: what published correlations were computed
-- with. `label` is how exhibits call them.
select
    paper,
    case paper
        when 'gjg15' then 'gjg15'
        else 'seeda_' || split_part(column_label, '_', 2)
    end as judgment_set,
    case
        when column_label like 'ew_%' or column_label = 'expected_wins' then 'expected_wins'
        else 'trueskill'
    end as method,
    case column_label
        when 'expected_wins' then 'ew'
        when 'trueskill' then 'ts'
        else column_label
    end as label,
    row_label as system,
    published::double as human_score

from {{ ref('published') }}
where
    (paper = 'seeda' and exhibit = 'scores')
    or (paper = 'gjg15' and column_label in ('expected_wins', 'trueskill'))
