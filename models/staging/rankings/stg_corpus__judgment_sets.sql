select
    corpus,
    judgment_set,
    loaded_from,
    path,
    format,
    n_items,
    title,
    licence,
    origin

from {{ source('raw', 'judgment_sets') }}
