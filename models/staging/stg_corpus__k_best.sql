with

source as (

    select of_corpora.*

    from {{ source('raw', 'k_best') }} as of_corpora

),

renamed as (

    select
        corpus,
        path,
        line,
        system,
        rank,
        sentence_id,
        {{ squeezed('text') }} as text

    from source

)

select * from renamed
