-- The paper on coverage: the systems of CoNLL-2014 by its scorer, and by ours.
with

reproduced as (

    unpivot {{ ref('lcb_systems') }} on precision, recall, f into name column_label value reproduced

),

scores as (

    select
        system,
        p as precision,
        r as recall,
        f

    from {{ ref('reported_measures') }}
    where corpus = 'conll14' and reference_set = 'nucle' and metric = 'm2'

),

corrected as (

    unpivot scores on precision, recall, f into name column_label value corrected

)

select
    'figure_1' as exhibit,
    reproduced.system as row_label,
    reproduced.column_label,
    reproduced.reproduced,
    corrected.corrected

from reproduced
left join corrected
    on
        reproduced.system = corrected.system
        and reproduced.column_label = corrected.column_label
