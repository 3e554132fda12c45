{#- A mean that does not depend on the order in which threads add: scores are rounded to 12
    decimals and added as decimals, exactly. -#}
{% macro exact_mean(expression) -%}
    (sum(({{ expression }})::decimal(30, 12))::double / count({{ expression }}))
{%- endmacro %}

{% macro exact_sum(expression) -%}
    sum(({{ expression }})::decimal(30, 12))::double
{%- endmacro %}
