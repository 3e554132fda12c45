select
    texts.corpus,
    corpora.language,
    texts.path,
    texts.line,
    texts.system,
    texts.sentence_id,
    {{ squeezed('texts.text') }} as text,
    length(rtrim(texts.text)) as n_characters

from {{ source('raw', 'outputs') }} as texts
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
anti join {{ ref('unusable_sentences') }} using (corpus, sentence_id)
