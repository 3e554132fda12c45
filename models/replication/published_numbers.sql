-- Every number of every paper, and the manifest that brings the data behind it.
with

published as (

    {% for paper in ['maege', 'imeasure', 'conll14', 'lcb', 'referenceless'] %}
        select
            '{{ paper }}' as paper,
            *
        from {{ ref(paper ~ '_published') }}
        union all by name
    {% endfor %}
    select * from {{ ref('rankings_published') }}
    union all by name
    select
        paper,
        'seeda_' || level as exhibit,
        metric as row_label,
        {{ seeda_column_label() }} as column_label,
        published_text::decimal(24, 16) as published,
        published_text,
        3 as decimals,
        'equal' as comparison,
        null as band,
        concat_ws(
            ' ',
            case
                when measured_as is null then 'Its weights or its model cannot be had here.'
            end,
            case sentences
                when 'half' then 'On half of the judged sentences.'
                when 'domain' then 'On 228 sentences of one domain.'
            end,
            case read_in
                when 'notes' then 'Read in notes on the paper.'
                when 'cited' then 'Read in a later paper that cites it.'
            end,
            note
        ) as note
    from {{ ref('seeda_published') }}

),

-- Of human judgments alone: a set that is not here has no rows.
ingested as (

    select * from {{ ref('ingested_manifests') }}

),

with_manifest as (

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
            when
                paper in ('gjg15', 'seeda', 'sakaguchi16', 'simplicity_da', 'chollampatt18')
                then paper
            when starts_with(exhibit, 'seeda_') then 'seeda'
            when paper = 'revisit_cgec' then 'revisit_cgec_yaclc'
            when paper = 'jfleg' then 'jfleg_judged'
            when paper = 'gmeg' then 'gmeg_judgments'
            when paper = 'llm_gec_2023' then 'llm_gec_2023_ratings'
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
            when paper = 'gleu' or paper = 'maege' and exhibit in ('table_1', 'figure_4')
                then 'nspt15'
            else 'conll14'
        end as manifest

    from published

)

select with_manifest.*
from with_manifest
left join ingested on with_manifest.manifest = ingested.manifest
where
    not starts_with(with_manifest.exhibit, 'seeda_')
    and with_manifest.paper not in (
        'revisit_cgec',
        'sakaguchi16',
        'jfleg',
        'gmeg',
        'llm_gec_2023',
        'simplicity_da',
        'chollampatt18'
    )
    or ingested.manifest is not null
