-- What files hold that counts for nothing: those of corpora, and those of human judgments with a
-- manifest of their own.
select
    corpus,
    null::varchar as judgment_set,
    null::varchar as task,
    path,
    line,
    kind,
    detail

from {{ source('raw', 'ingest_findings') }}

union all

select
    null as corpus,
    corpus as judgment_set,
    task,
    path,
    line,
    kind,
    detail

from {{ source('raw', 'judgment_findings') }}
