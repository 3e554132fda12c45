{#- The rows of all facts, each a select from its relation. A fact is a mapping: `section`, the relation
    `from` with its filter `where`, and an SQL expression for each column that is not NULL. Columns
    `metric` and `corpus` are by default those of the relation. -#}
{% macro card_facts(facts) -%}
    {%- set texts = ['measure', 'condition', 'reference_set', 'text', 'no_rank'] -%}
    {%- set numbers = ['value', 'ci_low', 'ci_high', 'draws_low', 'draws_high', 'chance_low',
        'chance_high', 'p_value', 'q_value'] -%}
    {%- for fact in facts %}
    select
        {{ fact.metric or 'metric' }} as metric,
        '{{ fact.section }}' as section,
        ({{ fact.corpus or 'corpus' }})::varchar as corpus,
        {{ fact.item }} as item,
        {%- for column in texts + numbers + ['n', 'rank', 'n_ranked', 'is_ranked'] %}
        {%- set type = 'varchar' if column in texts else 'double' if column in numbers
            else 'boolean' if column == 'is_ranked' else 'bigint' %}
        ({{ fact[column] or 'null' }})::{{ type }} as {{ column }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ fact.from }}
    where {{ fact.where or 'true' }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
