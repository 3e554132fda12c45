-- LanguageTool's cells of Tables 2 to 4 of the MAEGE paper, and its tau in the text. Values of the
-- run are medians over tosses of whose result a shared file held, and over draws of the corpora,
-- with the range of all of them as their band; what corrects them is today's LanguageTool.
with

cells as (

    select * from {{ ref('maege_tables') }}

),

tosses as (

    select * from {{ ref('lt_file_tosses') }}
    where corpus = 'conll14'

),

ranges as (

    select
        statistic,
        error_type,
        median(value) as median,
        min(value) as low,
        max(value) as high

    from tosses
    group by all

),

run_cells as (

    select
        exhibit,
        row_label,
        column_label,
        if(
            exhibit = 'table_3', 'mean_delta', replace(column_label, '_random_source', '')
        ) as statistic,
        if(exhibit = 'table_3', row_label, null) as error_type

    from cells
    where 'lt_maege2018' in (row_label, column_label)

),

defined_cells as (

    select
        exhibit,
        if(row_label = 'lt', 'lt_maege2018', row_label) as row_label,
        if(column_label = 'lt', 'lt_maege2018', column_label) as column_label,
        corrected

    from cells
    where 'lt' in (row_label, column_label)

),

tables as (

    select
        run_cells.exhibit,
        run_cells.row_label,
        run_cells.column_label,
        ranges.median as reproduced,
        ranges.low as band_low,
        ranges.high as band_high,
        defined_cells.corrected

    from run_cells
    left join ranges
        on
            run_cells.statistic = ranges.statistic
            and run_cells.error_type is not distinct from ranges.error_type
    left join defined_cells
        on
            run_cells.exhibit = defined_cells.exhibit
            and run_cells.row_label = defined_cells.row_label
            and run_cells.column_label = defined_cells.column_label

),

numbers as (

    select * from tables
    union all by name
    select
        'text' as exhibit,
        'lt_kendall_tau' as row_label,
        'value' as column_label,
        reproduced,
        band_low,
        band_high,
        corrected
    from tables
    where exhibit = 'table_2' and column_label = 'kendall_tau'

)

select * from numbers
