{#- Violations of the keys of a table: rows that share `key` with another row (NULL equals NULL),
    and rows whose values of the columns in `refers_to` (by dimension) are not in the dimension. A
    row with a NULL among these is valid, and so is a chance baseline (`chance_...`). Further
    violations: `required` columns that are NULL, and columns with other values than `values` or
    NULL. One node checks everything about a table. -#}
{% test keys(model, key, refers_to={}, required=[], values={}) %}
select
    'key' as failure,
    count(*) as n_rows

from (
    select 1 as of_row
    from {{ model }}
    group by {{ key | join(', ') }}
    having count(*) > 1
) as repeated
having count(*) > 0

{%- for dimension, columns in refers_to.items() %}

union all

select
    '{{ dimension }}' as failure,
    count(*) as n_rows

from {{ model }} as facts
anti join {{ ref(dimension) }} as dimension
    on
        {%- for column in columns %}
        {{ 'and ' if not loop.first }}facts.{{ column }} = dimension.{{ column }}
        {%- endfor %}
where
    {%- for column in columns %}
    {{ 'and ' if not loop.first }}facts.{{ column }} is not null
    {%- if dimension == 'metrics' %}
    and not starts_with(facts.{{ column }}, 'chance_')
    {%- endif %}
    {%- endfor %}
having count(*) > 0
{%- endfor %}

{%- for column in required %}

union all

select
    '{{ column }}' as failure,
    count(*) as n_rows

from {{ model }}
where {{ column }} is null
having count(*) > 0
{%- endfor %}

{%- for column, known in values.items() %}

union all

select
    '{{ column }}' as failure,
    count(*) as n_rows

from {{ model }}
where {{ column }} not in ('{{ known | join("', '") }}')
having count(*) > 0
{%- endfor %}
{% endtest %}
