select
    texts.corpus,
    corpora.language,
    texts.path,
    texts.line,
    texts.reference,
    texts.sentence_id,
    {{ squeezed('texts.text') }} as text

from {{ source('raw', 'references') }} as texts
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
anti join {{ ref('unusable_sentences') }} using (corpus, sentence_id)
