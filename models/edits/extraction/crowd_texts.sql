-- What a crowd's answers make of each sentence, and how many gave each: words alone, as answers are
-- not tokenised. Empty answers are left out.
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
