{#- Benjamini and Hochberg's q-value of each test of a family (1995), in two steps, because windows
do not nest: `p_rank` is a column of the rows that `q_value` reads. -#}
{% macro p_rank(p_value, family) -%}
    row_number() over (partition by {{ family }}, {{ p_value }} is null order by {{ p_value }})
{%- endmacro %}

{% macro q_value(p_value, rank, family) -%}
    if(
        {{ p_value }} is null,
        null,
        least(
            1,
            count({{ p_value }}) over (partition by {{ family }})
            * min({{ p_value }} / {{ rank }}) over (
                partition by {{ family }}, {{ p_value }} is null
                order by {{ rank }} desc
            )
        )
    )
{%- endmacro %}
