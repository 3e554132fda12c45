with

source as (

    select of_corpora.*

    from {{ source('raw', 'k_best') }} as of_corpora
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
        system,
        rank,
        sentence_id,
        trim({{ collapse_whitespace('text') }}, ' ') as text

    from source

)

select * from renamed
