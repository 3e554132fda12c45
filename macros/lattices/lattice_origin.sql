{#- A column of a mart that says where the lattices and the references of its rows come from. -#}
{% macro lattice_origin(column, relation) -%}
    (
        select origins.{{ column }}
        from {{ ref('lattice_origins') }} as origins
        where origins.corpus = {{ relation }}.corpus and origins.mode = {{ relation }}.mode
    ) as {{ column }}
{%- endmacro %}
