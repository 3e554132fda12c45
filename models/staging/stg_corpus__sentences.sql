with

labels as (

    select
        corpus,
        sentence_id,
        max(label) filter (where kind = 'documents') as document,
        max(label) filter (where kind = 'groups') as "group"

    from {{ source('raw', 'sentence_labels') }}
    group by corpus, sentence_id

)

select
    sentences.corpus,
    corpora.language,
    sentences.path,
    sentences.line,
    sentences.sentence_id,
    {{ squeezed('sentences.text') }} as text,
    sentences.tokens,
    labels.document,
    labels.group

from {{ source('raw', 'sentences') }} as sentences
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
left join labels using (corpus, sentence_id)
