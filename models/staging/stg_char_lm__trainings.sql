-- What `char_lm` was trained on last in each language: other trainings stay, and count no more.
select
    texts,
    sources,
    trained_on,
    part,
    language,
    half_sources

from {{ source('char_lm', 'char_lm_trainings') }}
-- Of `en-GB` and `en` there is one: all English is read by either.
qualify
    row_number() over (
        partition by split_part(language, '-', 1)
        order by number desc
    ) = 1
