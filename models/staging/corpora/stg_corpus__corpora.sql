select
    corpus,
    title,
    licence,
    origin,
    language,
    absent,
    n_sentences

from {{ source('raw', 'corpora') }}
