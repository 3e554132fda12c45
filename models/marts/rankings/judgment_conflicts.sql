-- What files of rankings hold that is no judgment, or no second one.
select
    corpus,
    judgment_set,
    path,
    line,
    judge,
    item,
    sentence_id,
    kind,
    detail

from {{ ref('stg_corpus__judgment_conflicts') }}
