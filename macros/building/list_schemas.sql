{#- The schemas of the database. dbt passes the name in quotes, but dbt-duckdb's own macro
    compares it without quotes. It finds no schema, so each build would create all of them again.
    -#}
{% macro duckdb__list_schemas(database) -%}
    {%- call statement('list_schemas', fetch_result=True, auto_begin=False) -%}
        select schema_name
        from duckdb_schemas()
        where lower(database_name) = lower('{{ database | string | replace('"', '') }}')
    {%- endcall -%}
    {{ return(load_result('list_schemas').table) }}
{%- endmacro %}
