{#- A relation with `reason_code`, and its reason and remedy in English from the seed `reasons`. `{name}` in
    a text becomes the value of that column, or nothing if it is NULL; numbers are columns `n_...`. Columns
    with texts of users come last, because later columns are inserted into earlier ones. -#}
{% macro with_reasons(relation, columns) -%}
    (
        select
            facts.*,
            {{ filled_in('reasons.reason', columns) }} as reason,
            nullif({{ filled_in('reasons.remedy', columns) }}, '') as remedy
        from {{ relation }} as facts
        left join {{ ref('reasons') }} as reasons using (reason_code)
    )
{%- endmacro %}

{% macro filled_in(template, columns) -%}
    {%- set filled = namespace(sql=template) -%}
    {%- for column in columns -%}
        {%- set value = "format('{:,}', facts." ~ column ~ "::bigint)" if column.startswith('n_')
            else 'facts.' ~ column -%}
        {%- set filled.sql = "replace(" ~ filled.sql ~ ", '{" ~ column ~ "}', coalesce(" ~ value ~ ", ''))" -%}
    {%- endfor -%}
    {{ filled.sql }}
{%- endmacro %}
