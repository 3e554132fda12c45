-- Every reference of every set, as text, for metrics that compare texts.
select
    corpus,
    reference_set,
    reference,
    sentence_id,
    text

from {{ ref('listed_references') }}
order by corpus, sentence_id, text, reference_set, reference
