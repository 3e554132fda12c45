-- What a relation of staging holds of sentences that can be used.
{% macro of_usable_sentences(staged) %}
with

staged as (

    select * from {{ ref(staged) }}

),

unusable as (

    select * from {{ ref('unusable_sentences') }}

)

select staged.*

from staged
anti join unusable
    on
        staged.corpus = unusable.corpus
        and staged.sentence_id = unusable.sentence_id
{% endmacro %}
