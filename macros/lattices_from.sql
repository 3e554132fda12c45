{#- The column of a mart that says who made the edits of the lattices that a row comes from. -#}
{% macro lattices_from(relation) -%}
    (
        select origins.lattices_from
        from {{ ref('lattice_origins') }} as origins
        where origins.corpus = {{ relation }}.corpus and origins.mode = {{ relation }}.mode
    ) as lattices_from
{%- endmacro %}
