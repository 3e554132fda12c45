{#- A mean that does not depend on the order in which threads add: scores are rounded to 12
    decimals of a unit and added as decimals, exactly. The unit (scores.score_units) is the same
    for all scores of a metric, so that tiny scores keep their digits and huge ones have room. -#}
{% macro exact_mean(expression, unit) -%}
    ({{ exact_sum(expression, unit) }} / count({{ expression }}))
{%- endmacro %}

{% macro exact_sum(expression, unit) -%}
    (sum((({{ expression }}) / {{ unit }})::decimal(30, 12))::double * max({{ unit }}))
{%- endmacro %}
