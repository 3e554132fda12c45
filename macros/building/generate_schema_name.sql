{#- Schemas are named for the folder of the models, without a prefix: marts.type_deltas. -#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ custom_schema_name if custom_schema_name is not none else target.schema }}
{%- endmacro %}
