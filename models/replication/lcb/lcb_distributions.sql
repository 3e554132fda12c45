-- The paper on coverage: its tables of distributions, and accuracy by references. `reproduced` is
-- from the released estimates of 48 files, `corrected` from new ones of all sentences' answers; of
-- simplifications only the latter are to be had.
with

estimates as (

    select
        corpus,
        'estimated' as made_by,
        sentence_id::varchar as estimate,
        frequency,
        variants

    from {{ ref('correction_distributions') }}
    where
        estimator = 'unseenest'
        and measure = 'exact'
        and corpus in ('lcb_gec', 'lcb_simplification')

    union all

    select
        corpus,
        'released' as made_by,
        name as estimate,
        frequency,
        variants

    from {{ source('raw', 'frequency_estimates') }}
    where variants > 0 and measure = 'exact' and corpus in ('lcb_gec', 'lcb_simplification')

),

thresholds as (

    select
        unnest([0, 0.001, 0.01, 0.1])::double as threshold,
        unnest(['gamma_0', 'gamma_0.001', 'gamma_0.01', 'gamma_0.1']) as column_label

),

summed as (

    select
        estimates.corpus,
        estimates.made_by,
        thresholds.column_label,
        sum(if(estimates.frequency > thresholds.threshold, estimates.variants, 0))
        / count(distinct estimates.estimate) as variants,
        sum(
            if(
                estimates.frequency > thresholds.threshold,
                estimates.frequency * estimates.variants,
                0
            )
        ) / count(distinct estimates.estimate) as mass

    from estimates
    cross join thresholds
    group by estimates.corpus, estimates.made_by, thresholds.column_label

),

cells as (

    unpivot summed on variants, mass into name row_label value number

),

tables as (

    select
        if(corpus = 'lcb_gec', 'table_1', 'table_4') as exhibit,
        row_label,
        column_label,
        coalesce(
            max(number) filter (where made_by = 'released'),
            max(number) filter (where corpus = 'lcb_simplification')
        ) as reproduced,
        max(number) filter (where made_by = 'estimated') as corrected

    from cells
    group by corpus, row_label, column_label

),

curves as (

    select
        *,
        expected_share - lag(expected_share) over (
            partition by estimator, measure, with_replacement order by n_references
        ) as slope

    from {{ ref('coverage') }}
    where
        corpus = 'lcb_gec' and sentence_id is null and estimator in ('unseenest', 'released')
        and n_references <= 20

),

points as (

    select
        estimator,
        'accuracy_m_' || n_references as row_label,
        if(with_replacement, measure, measure || '_distinct') as column_label,
        expected_share as number

    from curves

    union all

    select
        estimator,
        'accuracy_slope_m_' || n_references as row_label,
        measure as column_label,
        slope as number

    from curves
    where with_replacement and slope is not null

),

-- Files that are named alike overwrote each other.
sentences as (

    select
        count(distinct estimate) filter (where made_by = 'released') as reproduced,
        count(distinct estimate) filter (where made_by = 'estimated') as corrected

    from estimates
    where corpus = 'lcb_gec'

),

-- The text names some points of the figure.
exhibits as (

    select unnest(['text', 'figure_3']) as exhibit

),

texts as (

    select
        row_label,
        column_label,
        max(number) filter (where estimator = 'released') as reproduced,
        max(number) filter (where estimator = 'unseenest') as corrected

    from points
    group by row_label, column_label

)

select * from tables
union all
select
    exhibits.exhibit,
    texts.row_label,
    texts.column_label,
    texts.reproduced,
    texts.corrected
from texts
cross join exhibits
where texts.reproduced is not null
union all
select
    'text' as exhibit,
    'sentences' as row_label,
    'estimated' as column_label,
    reproduced::double as reproduced,
    corrected::double as corrected
from sentences
where corrected > 0
