{#- A node is a BIGINT with one bit an edit. -#}
{% macro max_lattice_edits() -%}
    62
{%- endmacro %}
