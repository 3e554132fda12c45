{#- Names what a metric is given: source, hypothesis and list of references. -#}
{% macro pair_key(source, hypothesis, references) -%}
    {{ natural_key([source, hypothesis, references]) }}
{%- endmacro %}
