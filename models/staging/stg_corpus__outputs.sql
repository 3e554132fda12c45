with

source as (

    select
        of_corpora.*,
        corpora.language

    from {{ source('raw', 'outputs') }} as of_corpora
    inner join {{ ref('stg_corpus__corpora') }} as corpora on of_corpora.corpus = corpora.corpus

),

renamed as (

    select
        corpus,
        language,
        path,
        line,
        system,
        sentence_id,
        {{ squeezed('text') }} as text,
        -- Of the line as it stands, but for white space at its end.
        length(rtrim(text)) as n_characters

    from source

)

select * from renamed
