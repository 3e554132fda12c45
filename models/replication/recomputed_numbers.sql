-- The same numbers recomputed: `reproduced` repeats the published run, `corrected` follows the
-- definition; the band is the range of what is drawn at random; `made_of` names the metrics that
-- were taken where others could have been.
{% set of_papers = [
    ('maege', 'maege_languagetool'),
    ('maege', 'maege_figures'),
    ('maege', 'maege_human_rankings'),
    ('maege', 'maege_text'),
    ('imeasure', 'imeasure_tables'),
    ('lcb', 'lcb_distributions'),
    ('lcb', 'lcb_corrections'),
    ('lcb', 'lcb_perfect_corrector'),
    ('lcb', 'lcb_outputs'),
    ('gleu', 'gleu_printed_ranking'),
    ('referenceless', 'referenceless_numbers'),
] %}
with

task_scores as (

    select
        system,
        100 * precision as p,
        100 * recall as r,
        100 * f_score as f

    from {{ ref('edit_metric_scores') }}
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

    {% for paper, model in of_papers %}
        select
            '{{ paper }}' as paper,
            *
        from {{ ref(model) }}
        union all by name
    {% endfor %}
    select
        'maege' as paper,
        *
    from {{ ref('maege_tables') }}
    where 'lt_maege2018' not in (row_label, column_label)
    union all by name
    select
        'conll14' as paper,
        *
    from shared_task_scores
    union all by name
    select * from {{ ref('human_ranking_scores') }}
    union all by name
    select * from {{ ref('human_ranking_correlations') }}
    union all by name
    select * from {{ ref('judgment_numbers') }}
    union all by name
    select * from {{ ref('rankings_gleu') }}

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
