-- The same numbers recomputed: `reproduced` repeats the published run, `corrected` follows the
-- definition; the band is the range of what is drawn at random; `made_of` names the metrics that
-- were taken where others could have been.
with

maege as (

    select * from {{ ref('maege_tables') }}
    where 'lt_maege2018' not in (row_label, column_label)
    union all by name
    select * from {{ ref('maege_languagetool') }}
    union all by name
    select * from {{ ref('maege_figures') }}
    union all by name
    select * from {{ ref('maege_human_rankings') }}
    union all by name
    select * from {{ ref('maege_text') }}

),

task_scores as (

    select
        system,
        100 * p as p,
        100 * r as r,
        100 * f as f

    from {{ ref('reported_measures') }}
    where corpus = 'conll14' and reference_set = 'nucle' and metric = 'm2'

),

official_scores as (

    unpivot task_scores on p, r, f into name column_label value reproduced

),

-- The official results of the CoNLL-2014 shared task: M2 on both official annotators, in per cent.
shared_task_scores as (

    select
        'official_scores' as exhibit,
        system as row_label,
        column_label,
        reproduced,
        reproduced as corrected

    from official_scores

),

numbers as (

    select
        'maege' as paper,
        *
    from maege
    union all by name
    select
        'imeasure' as paper,
        *
    from {{ ref('imeasure_tables') }}
    union all by name
    select
        'conll14' as paper,
        *
    from shared_task_scores
    union all by name
    select
        'lcb' as paper,
        *
    from {{ ref('lcb_distributions') }}
    union all by name
    select
        'lcb' as paper,
        *
    from {{ ref('lcb_corrections') }}
    union all by name
    select
        'lcb' as paper,
        *
    from {{ ref('lcb_perfect_corrector') }}
    union all by name
    select
        'lcb' as paper,
        *
    from {{ ref('lcb_outputs') }}
    union all by name
    select * from {{ ref('human_ranking_scores') }}
    union all by name
    select * from {{ ref('human_ranking_correlations') }}
    union all by name
    select * from {{ ref('judgment_numbers') }}
    union all by name
    select * from {{ ref('rankings_gleu') }}
    union all by name
    select
        'gleu' as paper,
        *
    from {{ ref('gleu_printed_ranking') }}
    union all by name
    select
        'referenceless' as paper,
        *
    from {{ ref('referenceless_systems') }}
    union all by name
    select
        'referenceless' as paper,
        *
    from {{ ref('referenceless_experts') }}

)

select
    paper,
    exhibit,
    row_label,
    column_label,
    reproduced,
    corrected,
    band_low,
    band_high,
    made_of

from numbers
