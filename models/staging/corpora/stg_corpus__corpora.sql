select
    corpus,
    title,
    licence,
    origin,
    language,
    absent,
    sentences as n_sentences

from {{ source('raw', 'corpora') }}
