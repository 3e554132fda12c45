{#- An aggregate over the edits of an annotation set: whether its types are ERRANT's, which they are
    where nine in ten of its edits have one. UNK is no type, and where it is all that there is
    somebody wrote it for any type. -#}
{% macro has_errant_types() -%}
    coalesce(
        avg(regexp_matches(error_type, '^[MRU]:')::integer) filter (
            where kind <> 'none' and error_type <> 'UNK'
        ) >= .9,
        bool_and(kind <> 'correction')
    )
{%- endmacro %}
