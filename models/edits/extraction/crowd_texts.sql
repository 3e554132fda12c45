-- The distinct texts of a crowd's answers to each sentence, with the number of answers: words only,
-- because answers are not tokenised. Empty answers are excluded.
{% set words = "array_to_string(regexp_extract_all({}, '[\\p{{L}}\\p{{N}}_]+'), ' ')" %}
select
    corpus,
    sentence_id,
    {{ words.format('sentence') }} as source,
    {{ words.format('correction') }} as text,
    count(*)::integer as n_answers

from {{ ref('usable_corrections') }}
where left_out is null and {{ words.format('correction') }} <> ''
group by all
