{#- Numbers of pairs that a metric orders correctly, the other way round, and not at all. -#}
{% macro outcome_counts(outcome) -%}
    count(*) filter (where {{ outcome }} = 'concordant') as n_concordant,
    count(*) filter (where {{ outcome }} = 'discordant') as n_discordant,
    count(*) filter (where {{ outcome }} = 'tied') as n_tied
{%- endmacro %}
