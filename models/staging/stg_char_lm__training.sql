-- What `char_lm` was trained on last: other trainings stay, and count no more.
with

source as (

    select * from {{ source('char_lm', 'char_lm_trainings') }}

),

latest as (

    select
        texts,
        trained_on,
        part,
        language

    from source
    order by number desc
    limit 1

)

select * from latest
