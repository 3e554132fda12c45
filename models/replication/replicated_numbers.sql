-- One row per printed number, with the same number recomputed: `reproduced` repeats the published
-- run, errors included, `corrected` follows the paper's own definition.
with

metrics as (

    select distinct
        metric,
        remedy

    from {{ ref('metric_registry') }}

),

compared as (

    select
        published.paper,
        published.exhibit,
        published.row_label,
        published.column_label,
        published.published,
        published.published_text,
        published.comparison,
        published.manifest,
        published.required_metric,
        published.note,
        recomputed.reproduced,
        recomputed.corrected,
        recomputed.band_low,
        recomputed.band_high,
        referenceless.made_of,
        case
            when published.comparison = 'below' then recomputed.reproduced < published.published
            -- A half may have been rounded up or down.
            else
                abs(recomputed.reproduced - published.published)
                <= 0.5 * 0.1 ^ published.decimals + 1e-9
        end as is_exact,
        case
            when recomputed.band_low is not null and published.comparison = 'below'
                then recomputed.band_low < published.published
            -- Half a unit of the last printed digit: the published value is rounded.
            when recomputed.band_low is not null
                then
                    published.published between
                    recomputed.band_low - 0.5 * 0.1 ^ published.decimals
                    and recomputed.band_high + 0.5 * 0.1 ^ published.decimals
            else abs(recomputed.reproduced - published.published) <= published.band
        end as is_in_band,
        ingested.manifest is not null as is_ingested,
        metrics.remedy

    from {{ ref('published') }} as published
    left join {{ ref('ingested_manifests') }} as ingested using (manifest)
    left join {{ ref('recomputed_numbers') }} as recomputed
        using (paper, exhibit, row_label, column_label)
    left join {{ ref('referenceless_numbers') }} as referenceless
        on
            published.paper = 'referenceless'
            and published.exhibit = referenceless.exhibit
            and published.row_label = referenceless.row_label
            and published.column_label = referenceless.column_label
    left join metrics on published.required_metric = metrics.metric
    -- Numbers of other papers are listed only where the judgments that they are about are ingested.
    where
        published.paper in (
            'conll14', 'gjg15', 'gleu', 'imeasure', 'lcb', 'maege', 'referenceless', 'seeda'
        )
        or ingested.manifest is not null

)

select
    paper,
    exhibit,
    row_label,
    column_label,
    published::double as published,
    published_text,
    reproduced,
    corrected,
    abs(reproduced - published::double) as abs_error,
    case
        when reproduced is null then 'not_reproducible'
        when is_exact then 'exact'
        when is_in_band then 'close'
        else 'differs'
    end as status,
    concat_ws(
        ' ',
        case
            when reproduced is not null then null
            when not is_ingested
                then
                    manifest || ' is not ingested: maege ingest corpora/' || manifest
                    || ', then dbt build --vars "{replication: true}".'
            when row_label = 'lt_maege2018' and exhibit in ('table_1', 'figure_4')
                then
                    'Not recomputed here: the run gave LanguageTool 3.7 the outputs in lower case '
                    || 'and without punctuation.'
            when remedy is not null
                then
                    replace(required_metric, 'lt_maege2018', 'LanguageTool 3.7')
                    || ' has not scored: ' || remedy || '.'
            when manifest <> 'conll14' or exhibit = 'text' or column_label like 'mixed_%'
                then 'Not recomputed here.'
            else 'The metric is left out by the variable metrics.'
        end,
        'By ' || made_of || '.',
        if(
            reproduced is not null and round(band_low, 3) < round(band_high, 3),
            'Draws between ' || round(band_low, 3) || ' and ' || round(band_high, 3) || '.',
            null
        ),
        if(
            reproduced is not null
            and not coalesce(is_exact, false)
            and not coalesce(is_in_band, false)
            and coalesce(note, '') = '',
            'What is ingested is not what the paper had.',
            null
        ),
        note
    ) as note

from compared
