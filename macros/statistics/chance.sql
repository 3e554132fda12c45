{#- Chance baselines for comparison with real metrics. -#}
{% macro chance_kinds() -%}
    (values ('chance_constant'), ('chance_length'), ('chance_random'))
{%- endmacro %}

{#- The score of a chance baseline: a constant, the number of characters, or a random number. -#}
{% macro chance_score(kind, n_characters, keys) -%}
    case {{ kind }}
        when 'chance_constant' then 1.0
        when 'chance_length' then {{ n_characters }}
        else {{ uniform('chance_score', keys) }}
    end
{%- endmacro %}
