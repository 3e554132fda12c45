select
    judgment_set,
    task,
    position,
    kind,
    asked_of,
    unit,
    judges,
    language,
    tokens,
    link,
    provenance,
    protocol,
    path,
    title,
    licence,
    may_be_shared,
    origin

from {{ source('raw', 'judgment_tasks') }}
