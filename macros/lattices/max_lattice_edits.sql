{#- A node is a BIGINT with one bit per edit. -#}
{% macro max_lattice_edits() -%}
    62
{%- endmacro %}
