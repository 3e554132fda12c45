-- What `char_lm` was trained on last in each language: other trainings stay, and count no more.
with

source as (

    select * from {{ source('char_lm', 'char_lm_trainings') }}

),

latest as (

    select
        texts,
        sources,
        trained_on,
        part,
        language,
        half_sources

    from source
    -- Of `en-GB` and `en` there is one: all English is read by either.
    qualify
        row_number() over (
            partition by split_part(language, '-', 1)
            order by number desc
        ) = 1

)

select * from latest
