select
    corpus,
    path,
    format,
    role,
    name,
    sha256,
    bytes,
    lines,
    origin,
    ingested_at

from {{ source('raw', 'files') }}
