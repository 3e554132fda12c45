{#- Whether two scores are equal within a billionth of the larger: sums in different orders differ
    only in their last bits. `maege.analysis.statistics.pair_agreement` has the same rule in
    Python. -#}
{% macro is_tied(first, second) -%}
    (abs({{ first }} - {{ second }}) <= 1e-9 * greatest(abs({{ first }}), abs({{ second }})))
{%- endmacro %}
