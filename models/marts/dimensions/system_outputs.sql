-- What every system made of every sentence.
select
    corpus,
    system,
    sentence_id,
    text

from {{ ref('stg_corpus__outputs') }}
order by corpus, sentence_id, text, system
