{#- Columns of a mart with type DOUBLE in its contract; none while dbt parses. -#}
{% macro numbers_of(mart) -%}
    {%- set found = [] -%}
    {%- if execute -%}
        {%- set columns = graph.nodes["model." ~ project_name ~ "." ~ mart].columns.values() -%}
        {%- for column in columns if (column.data_type or "") | lower == "double" -%}
            {%- do found.append(column.name) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(found) }}
{%- endmacro %}

{#- Names of all marts with such columns. -#}
{% macro marts_with_numbers() -%}
    {%- set found = [] -%}
    {%- if execute -%}
        {%- for node in graph.nodes.values() if node.resource_type == "model" and node.schema == "marts" -%}
            {%- if numbers_of(node.name) -%}{%- do found.append(node.name) -%}{%- endif -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(found | sort) }}
{%- endmacro %}
