-- The official results of the CoNLL-2014 shared task: M2 on both official annotators, in per cent.
with

scores as (

    select
        system,
        100 * p as p,
        100 * r as r,
        100 * f as f

    from {{ ref('reported_measures') }}
    where corpus = 'conll14' and reference_set = 'nucle' and metric = 'm2'

),

long_scores as (

    unpivot scores on p, r, f into name column_label value reproduced

)

select
    'official_scores' as exhibit,
    system as row_label,
    column_label,
    reproduced,
    reproduced as corrected

from long_scores
