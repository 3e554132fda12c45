select
    judgment_set,
    item,
    source,
    linked_corpus,
    sentence_id

from {{ source('raw', 'judged_items') }}
