{#- A mean that does not depend on the order in which threads add: scores are rounded to 12
    decimals of a unit and added exactly, as decimals. All scores of a metric have the same unit
    (scores.score_units), so tiny scores keep their digits and huge scores do not overflow. -#}
{% macro exact_mean(expression, unit) -%}
    ({{ exact_sum(expression, unit) }} / count({{ expression }}))
{%- endmacro %}

{% macro exact_sum(expression, unit) -%}
    (sum((({{ expression }}) / {{ unit }})::decimal(30, 12))::double * max({{ unit }}))
{%- endmacro %}
