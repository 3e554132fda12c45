-- Who was ranked where: every rank that counts.
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
