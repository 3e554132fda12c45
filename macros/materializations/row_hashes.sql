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
        'select ''' || relation || ''', count(*) || '' '' || coalesce(sum(hash('
        || string_agg(
            'rows_read."' || name || '"' || case
                when type like '%[]' and type not like '%[%[%' and not contains(type, '(')
                    then ', len(rows_read."' || name || '")'
                when contains(type, '[') or (contains(type, '(') and type not like 'DECIMAL(%')
                    then ', rows_read."' || name || '"::varchar'
                else ''
            end,
            ', ' order by cid
        ) || ')::hugeint), 0) || '' '
        || md5(string_agg(name || ' ' || type, ', ' order by cid))
        || ''' from ' || relation || ' as rows_read'

    from (
        {#- duckdb_columns() would list the columns of all tables. -#}
        {%- for relation in relations %}
        select '{{ relation }}' as relation, * from pragma_table_info('{{ relation }}')
        {{ "union all" if not loop.last }}
        {%- endfor %}
    )
    group by relation
{%- endmacro %}
