with

source as (

    select
        of_corpora.*,
        corpora.language

    from {{ source('raw', 'references') }} as of_corpora
    inner join {{ ref('stg_corpus__corpora') }} as corpora on of_corpora.corpus = corpora.corpus

),

renamed as (

    select
        corpus,
        language,
        path,
        line,
        reference,
        sentence_id,
        {{ squeezed('text') }} as text

    from source

)

select * from renamed
