{#- NULL where a statistic is not defined: NumPy says NaN, which SQL sorts above every number. -#}
{% macro defined(expression) -%}
    nullif({{ expression }}, 'nan'::double)
{%- endmacro %}
