with

labels as (

    select
        corpus,
        sentence_id,
        max(label) filter (where kind = 'documents') as document,
        max(label) filter (where kind = 'groups') as "group"

    from {{ source('raw', 'sentence_labels') }}
    group by corpus, sentence_id

),

source as (

    select
        of_corpora.*,
        corpora.language,
        labels.document,
        labels.group

    from {{ source('raw', 'sentences') }} as of_corpora
    inner join {{ ref('stg_corpus__corpora') }} as corpora on of_corpora.corpus = corpora.corpus
    left join labels
        on
            of_corpora.corpus = labels.corpus
            and of_corpora.sentence_id = labels.sentence_id

),

renamed as (

    select
        corpus,
        language,
        path,
        line,
        sentence_id,
        {{ squeezed('text') }} as text,
        tokens,
        document,
        "group"

    from source

)

select * from renamed
