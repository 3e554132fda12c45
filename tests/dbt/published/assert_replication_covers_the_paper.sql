-- Each printed number whose data are ingested has a row with a status that agrees with its columns,
-- and with a note if it was not reproduced.
{{ config(enabled=var('replication')) }}
with

published as (

    select * from {{ ref('published') }}
    where manifest in (select ingested.manifest from {{ ref('ingested_manifests') }} as ingested)

),

replicated as (

    select * from {{ ref('replication') }}

)

select
    published.paper,
    published.exhibit,
    published.row_label,
    published.column_label,
    replicated.status

from published
left join replicated
    on
        published.paper = replicated.paper
        and published.exhibit = replicated.exhibit
        and published.row_label = replicated.row_label
        and published.column_label = replicated.column_label
where
    replicated.status is null
    or replicated.status not in ('exact', 'close', 'differs', 'not_reproducible')
    or (replicated.reproduced is null) <> (replicated.status = 'not_reproducible')
    or (replicated.abs_error is null) <> (replicated.reproduced is null)
    or (replicated.status in ('differs', 'not_reproducible') and replicated.note = '')
    or (
        replicated.status = 'exact'
        and published.comparison = 'equal'
        -- Half a unit of the last printed digit.
        and replicated.abs_error > 0.5 * 0.1 ^ published.decimals + 1e-9
    )
    or (published.comparison = 'below' and replicated.status = 'exact')
    <> (published.comparison = 'below' and replicated.reproduced < published.published)
