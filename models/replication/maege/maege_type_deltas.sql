-- Table 3 of the MAEGE paper, recomputed. The run compared every position with its chain's
-- original; the corrected twin compares neighbours, as the paper defines.
with

deltas as (

    select * from {{ ref('mean_type_deltas') }}
    where corpus = 'conll14'

)

select
    'table_3' as exhibit,
    error_type as row_label,
    metric as column_label,
    max(mean_delta) filter (
        where mode = 'as_published' and pair_rule = 'from_origin'
    ) as reproduced,
    null::double as band_low,
    null::double as band_high,
    max(mean_delta) filter (where mode = 'paper' and pair_rule = 'adjacent') as corrected

from deltas
group by all
