{#- The exhibit column of a number in `seeda_published`. Sentence-level numbers have no
    aggregation. -#}
{% macro seeda_column_label() -%}
    concat_ws('_', split_part(judgment_set, '_', 2), system_set, aggregation, statistic)
{%- endmacro %}
