-- Figure 5 of the MAEGE paper, recomputed: mean GLEU of the originals by their number of edits.
with

scores as (

    select * from {{ ref('error_count_scores') }}
    where corpus = 'conll14' and experiment = 'random_source' and metric = 'gleu'

)

select
    'figure_5' as exhibit,
    n_errors::varchar as row_label,
    'mean_gleu' as column_label,
    max(mean_score) filter (where mode = 'as_published') as reproduced,
    null::double as band_low,
    null::double as band_high,
    max(mean_score) filter (where mode = 'paper') as corrected

from scores
group by all
