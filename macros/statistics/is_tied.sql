{#- Whether two scores are equal within a billionth of the larger: sums that differ in their order
only differ in their last bits. `maege.analysis.statistics.pair_agreement` says the same in Python. -#}
{% macro is_tied(first, second) -%}
    (abs({{ first }} - {{ second }}) <= 1e-9 * greatest(abs({{ first }}), abs({{ second }})))
{%- endmacro %}
