{#- The schemas of the database. dbt asks with the name in quotes, which dbt-duckdb's own macro
    compares with the name as it is: it finds none, and each build creates all of them again. -#}
{% macro duckdb__list_schemas(database) -%}
    {%- call statement('list_schemas', fetch_result=True, auto_begin=False) -%}
        select schema_name
        from duckdb_schemas()
        where lower(database_name) = lower('{{ database | string | replace('"', '') }}')
    {%- endcall -%}
    {{ return(load_result('list_schemas').table) }}
{%- endmacro %}
