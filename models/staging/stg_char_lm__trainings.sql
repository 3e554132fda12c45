-- The last training of `char_lm` in each language. Earlier trainings are stored but not used.
select
    texts,
    sources,
    trained_on,
    part,
    language,
    half_sources

from {{ source('char_lm', 'char_lm_trainings') }}
-- `en-GB` and `en` share one training: each model reads all English.
qualify
    row_number() over (
        partition by split_part(language, '-', 1)
        order by number desc
    ) = 1
