-- Every usable rank of a system.
select
    corpus,
    judgment_set,
    judge,
    item,
    sentence_id,
    cell,
    system,
    rank

from {{ ref('usable_judgments') }}
