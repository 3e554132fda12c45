-- Every number that the papers print next to the same number recomputed: with the variable
-- `replication` from the ingested corpora, else the table of the last release
-- (`make replication-table`).
select
    paper,
    exhibit,
    row_label,
    column_label,
    published,
    published_text,
    reproduced,
    corrected,
    abs_error,
    status,
    -- An empty note is NULL in a seed.
    coalesce(note, '') as note

from {{ ref('replicated_numbers' if var('replication') else 'replication_table') }}
