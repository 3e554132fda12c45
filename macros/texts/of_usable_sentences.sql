-- The rows of a relation whose sentences are usable.
{% macro of_usable_sentences(relation) %}
select rows_of_sentences.*

from {{ relation }} as rows_of_sentences
anti join {{ ref('unusable_sentences') }} as unusable_sentences
    using (corpus, sentence_id)
{% endmacro %}
