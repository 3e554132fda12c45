with

source as (

    select of_corpora.*
    from {{ source('raw', 'sentences') }} as of_corpora
    anti join {{ ref('stg_corpus__too_long') }} as too_long
        on
            of_corpora.corpus = too_long.corpus
            and of_corpora.sentence_id = too_long.sentence_id

),

renamed as (

    select
        corpus,
        path,
        line,
        sentence_id,
        text,
        tokens

    from source

)

select * from renamed
