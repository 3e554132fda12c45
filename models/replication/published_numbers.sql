-- Every number of every paper, and the manifest that brings the data behind it.
with

published as (

    select
        'maege' as paper,
        *
    from {{ ref('maege_published') }}
    union all by name
    select
        'imeasure' as paper,
        *
    from {{ ref('imeasure_published') }}
    union all by name
    select
        'conll14' as paper,
        *
    from {{ ref('conll14_published') }}
    union all by name
    select
        'lcb' as paper,
        *
    from {{ ref('lcb_published') }}
    union all by name
    select
        'referenceless' as paper,
        *
    from {{ ref('referenceless_published') }}
    union all by name
    select * from {{ ref('rankings_published') }}

)

select
    paper,
    exhibit,
    row_label,
    column_label,
    published,
    published_text,
    decimals,
    comparison,
    band,
    note,
    case
        when paper in ('gjg15', 'seeda') then paper
        when
            paper = 'lcb' and exhibit in ('table_4', 'figure_5')
            then 'lcb_simplification'
        when
            paper = 'lcb' and (exhibit = 'figure_4' or row_label like '%m2_m_%')
            then 'lcb_perfect_' || regexp_extract(row_label, '_m_(\d+)$', 1)
        when paper = 'lcb' and exhibit = 'figure_2' then 'lcb_reranked'
        when
            paper = 'lcb'
            and (
                exhibit in ('figure_9', 'figure_10', 'figure_11', 'figure_12')
                or row_label = 'unchanged_max_sari'
            )
            then 'turkcorpus'
        when
            paper = 'lcb' and exhibit not in ('figure_1', 'supplement_b', 'table_6')
            and row_label <> 'sentences_with_six_words_changed'
            then 'lcb_gec'
        -- The last of the two to be ingested, which need conll14 first.
        when paper = 'gleu' or exhibit in ('table_1', 'figure_4') and paper = 'maege' then 'nspt15'
        else 'conll14'
    end as manifest

from published
