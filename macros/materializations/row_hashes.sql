{#- Hashes of the rows of relations (SCHEMA.TABLE), by name. ops.row_hashes stores them until the
    next build begins, because all readers of a relation run after the node that writes it. -#}
{% macro new_row_hashes(relations) %}
    {%- set queries, hashes = [], {} -%}
    {%- for row in (run_query(row_hash_queries(relations)).rows if relations else []) -%}
        {%- do queries.append(row[0]) -%}
    {%- endfor -%}
    {%- if queries -%}
        {%- set insert = "insert into ops.row_hashes " ~ queries | join(" union all ") -%}
        {%- for row in run_query(insert ~ " returning *").rows -%}
            {%- do hashes.update({row[0]: row[1]}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(hashes) }}
{% endmacro %}

{#- For each relation, the query for its name and the hash of its rows in any order: their number,
    the sum of their hashes, names and types of columns. DuckDB's hash is the same for [], [NULL]
    and NULL, so the length of a list is hashed as well, and deeper nested values also as text
    (slow). -#}
{% macro row_hash_queries(relations) -%}
    select
        'select ''' || schema_name || '.' || table_name || ''', count(*) || '' '' || coalesce(sum(hash('
        || string_agg(
            'rows_read."' || column_name || '"' || case
                when data_type like '%[]' and data_type not like '%[%[%' and not contains(data_type, '(')
                    then ', len(rows_read."' || column_name || '")'
                when contains(data_type, '[') or (contains(data_type, '(') and data_type not like 'DECIMAL(%')
                    then ', rows_read."' || column_name || '"::varchar'
                else ''
            end,
            ', ' order by column_index
        ) || ')::hugeint), 0) || '' '
        || md5(string_agg(column_name || ' ' || data_type, ', ' order by column_index))
        || ''' from "' || schema_name || '"."' || table_name || '" as rows_read'

    from duckdb_columns()
    where schema_name || '.' || table_name in ('{{ relations | join("', '") }}')
    group by schema_name, table_name
{%- endmacro %}
