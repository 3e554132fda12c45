select
    corpus,
    path,
    line,
    measure,
    name,
    frequency,
    variants

from {{ source('raw', 'frequency_estimates') }}
