{#- A query for what names the rows of each of these relations, as SQL: their number, the sum of their
    hashes, the names and types of their columns. DuckDB hashes [], [NULL] and NULL alike, which a
    list's length tells apart; what is nested deeper is hashed as text, too, which is slow. -#}
{% macro hashed_columns(relations) -%}
    select
        schema_name,
        table_name,
        'count(*) || '' '' || coalesce(sum(hash(' || string_agg(
            'rows_read."' || column_name || '"' || case
                when data_type like '%[]' and data_type not like '%[%[%' and not contains(data_type, '(')
                    then ', len(rows_read."' || column_name || '")'
                when contains(data_type, '[') or (contains(data_type, '(') and data_type not like 'DECIMAL(%')
                    then ', rows_read."' || column_name || '"::varchar'
                else ''
            end,
            ', ' order by column_index
        ) || ')::hugeint), 0) || '' '
        || md5(string_agg(column_name || ' ' || data_type, ', ' order by column_index)) || '''' as hashed

    from duckdb_columns()
    where schema_name || '.' || table_name in (
        {%- for relation in relations %}
        '{{ relation.schema }}.{{ relation.identifier }}'{{ "," if not loop.last }}
        {%- endfor %}
    )
    group by all
    order by all
{%- endmacro %}

{#- One text for all rows of a relation, in whatever order. -#}
{% macro hash_of_rows(relation, hashed) -%}
    (select {{ hashed }} from {{ relation }} as rows_read)
{%- endmacro %}
