-- The outputs of all systems.
select
    corpus,
    system,
    sentence_id,
    {{ squeezed('text') }} as text

from {{ source('raw', 'outputs') }}
order by corpus, sentence_id, text, system
