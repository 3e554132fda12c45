select
    corpus,
    path,
    line,
    system,
    rank,
    sentence_id,
    {{ squeezed('text') }} as text

from {{ source('raw', 'k_best') }}
