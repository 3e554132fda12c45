{#- The column of an exhibit of `seeda_published` that a number stands in; sentences have no aggregation. -#}
{% macro seeda_column_label() -%}
    concat_ws('_', split_part(judgment_set, '_', 2), system_set, aggregation, statistic)
{%- endmacro %}
