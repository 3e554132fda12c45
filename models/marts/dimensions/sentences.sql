-- The source sentences of every corpus, including excluded ones.
select
    corpus,
    sentence_id,
    text as source_text,
    len(tokens)::integer as n_tokens,
    document,
    "group"

from {{ ref('stg_corpus__sentences') }}
order by corpus, sentence_id
