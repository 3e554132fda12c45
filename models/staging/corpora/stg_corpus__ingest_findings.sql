-- What files hold that counts for nothing: those of corpora, and those of human judgments with a
-- manifest of their own.
select
    corpus,
    path,
    line,
    kind,
    detail

from {{ source('raw', 'ingest_findings') }}

union all by name

select
    judgment_set,
    task,
    path,
    line,
    kind,
    detail

from {{ source('raw', 'judgment_findings') }}
