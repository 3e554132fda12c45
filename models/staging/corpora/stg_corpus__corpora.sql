select
    corpus,
    title,
    licence,
    origin,
    language,
    absent,
    sentences as n_sentences,
    ingested_at

from {{ source('raw', 'corpora') }}
