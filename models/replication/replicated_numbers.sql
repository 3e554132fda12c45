-- Every number of the papers beside the same number recomputed: `reproduced` repeats the published
-- run, errors included, `corrected` follows the paper's own definition.
with

published as (

    select * from {{ ref('published_numbers') }}

),

recomputed as (

    select * from {{ ref('recomputed_numbers') }}

),

metrics as (

    select distinct
        metric,
        remedy

    from {{ ref('metric_registry') }}

),

ingested as (

    select * from {{ ref('ingested_manifests') }}

),

compared as (

    select
        published.*,
        recomputed.reproduced,
        recomputed.corrected,
        recomputed.band_low,
        recomputed.band_high,
        recomputed.made_of,
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
        languagetool.metric as languagetool_metric,
        languagetool.remedy as languagetool_remedy,
        published.paper = 'maege'
        and published.exhibit in ('table_2', 'table_3', 'table_4')
        and if(published.exhibit = 'table_3', published.column_label, published.row_label)
        not in (select metrics.metric from metrics) as is_unknown_metric

    from published
    left join ingested using (manifest)
    left join recomputed
        on
            published.paper = recomputed.paper
            and published.exhibit = recomputed.exhibit
            and published.row_label = recomputed.row_label
            and published.column_label = recomputed.column_label
    left join metrics as languagetool
        on
            languagetool.metric = case
                when
                    'lt_maege2018' in (published.row_label, published.column_label)
                    or published.row_label = 'lt_kendall_tau'
                    then 'lt_maege2018'
                when
                    published.paper = 'referenceless'
                    and (
                        published.row_label in (
                            'grammar', 'grammar_meaning', 'fluency_grammar', 'combination', 'oracle'
                        )
                        or starts_with(published.column_label, 'combination')
                    )
                    then 'grammaticality'
            end

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
            when languagetool_remedy is not null
                then
                    replace(languagetool_metric, 'lt_maege2018', 'LanguageTool 3.7')
                    || ' has not scored: ' || languagetool_remedy || '.'
            when is_unknown_metric then 'No metric of this warehouse.'
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
