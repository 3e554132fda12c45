-- What every system made of every sentence.
select
    corpus,
    system,
    sentence_id,
    {{ squeezed('text') }} as text

from {{ source('raw', 'outputs') }}
order by corpus, sentence_id, text, system
