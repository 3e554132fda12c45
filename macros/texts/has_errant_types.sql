{#- Aggregate over the edits of an annotation set: whether its types are ERRANT's, which holds if
    nine in ten edits have one of them. UNK does not count; a set with UNK only has no types. -#}
{% macro has_errant_types() -%}
    coalesce(
        avg(regexp_matches(error_type, '^[MRU]:')::integer) filter (
            where kind <> 'none' and error_type <> 'UNK'
        ) >= .9,
        bool_and(kind <> 'correction')
    )
{%- endmacro %}
