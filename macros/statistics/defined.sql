{#- NULL if a statistic is undefined: NumPy returns NaN, which SQL sorts above every number. -#}
{% macro defined(expression) -%}
    nullif({{ expression }}, 'nan'::double)
{%- endmacro %}
