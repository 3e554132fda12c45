{#- Schema, table, name and type of the columns of these relations that hold more than one value. -#}
{% macro list_columns(relations) -%}
    select schema_name, table_name, column_name, data_type
    from duckdb_columns()
    where (data_type like '%[%' or data_type like '%(%' and data_type not like 'DECIMAL(%')
        and schema_name || '.' || table_name in (
            {%- for relation in relations %}
            '{{ relation.schema }}.{{ relation.identifier }}'{{ "," if not loop.last }}
            {%- endfor %}
        )
    order by all
{%- endmacro %}

{#- One text for all rows of a relation, in whatever order. DuckDB hashes [], [NULL] and NULL alike,
    which a list's length tells apart; what is nested deeper is hashed as text, which is slow. -#}
{% macro hash_of_rows(relation, lists) -%}
    {%- set hashed = ["rows_read"] -%}
    {%- for schema, table, column, type in lists -%}
        {%- if schema == relation.schema and table == relation.identifier -%}
            {%- set is_flat = type.endswith("[]") and type.count("[") == 1 and "(" not in type -%}
            {%- set name = 'rows_read."' ~ column ~ '"' -%}
            {%- do hashed.append("len(" ~ name ~ ")" if is_flat else name ~ "::varchar") -%}
        {%- endif -%}
    {%- endfor -%}
    (select count(*) || ' ' || coalesce(sum(hash({{ hashed | join(", ") }})::hugeint), 0) from {{ relation }} as rows_read)
{%- endmacro %}
