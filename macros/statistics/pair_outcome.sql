{#- How a metric orders a pair of texts, of which the first should have the larger score. -#}
{% macro pair_outcome(better, worse) -%}
    case
        when {{ is_tied(better, worse) }} then 'tied'
        when {{ better }} > {{ worse }} then 'concordant'
        else 'discordant'
    end
{%- endmacro %}
