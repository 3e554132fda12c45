{#- Rows that share their values of all these columns with another row. NULL equals NULL. -#}
{% test unique_combination(model, columns) %}
select
    {{ columns | join(', ') }},
    count(*) as n_rows

from {{ model }}
group by all
having count(*) > 1
{% endtest %}
