select
    of_corpora.corpus,
    corpora.language,
    of_corpora.path,
    of_corpora.line,
    of_corpora.reference,
    of_corpora.sentence_id,
    {{ squeezed('of_corpora.text') }} as text

from {{ source('raw', 'references') }} as of_corpora
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
