-- What files hold that `maege ingest` read and does not use.
select
    corpus,
    path,
    line,
    kind,
    detail

from {{ ref('stg_corpus__ingest_findings') }}
