{#- dbt's own materialization runs six statements, and the overhead of each exceeds the time that
    DuckDB needs for the view. -#}
{% materialization view, adapter="duckdb" %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set target = this.incorporate(type="view") -%}
    {{ run_hooks(pre_hooks, inside_transaction=False) }}
    {{ run_hooks(pre_hooks, inside_transaction=True) }}
    {% call statement("main") -%}
        {{ drop_existing(existing) }}
        {{ get_create_view_as_sql(target, compiled_code) }}
        {{ put_documentation(target) }}
    {%- endcall %}
    {{ run_hooks(post_hooks, inside_transaction=True) }}
    {{ adapter.commit() }}
    {{ run_hooks(post_hooks, inside_transaction=False) }}
    {{ return({"relations": [target]}) }}
{% endmaterialization %}

{% macro drop_existing(relation) -%}
    {%- if relation is not none -%}
        {%- do adapter.cache_dropped(relation) -%}
        drop {{ relation.type }} if exists {{ relation }} cascade;
    {%- endif -%}
{%- endmacro %}

{#- Comments on the relation and its columns, if the model persists its documentation. -#}
{% macro put_documentation(relation) -%}
    {% if config.persist_relation_docs() and model.description -%}
        {{ alter_relation_comment(relation, model.description) }}
    {%- endif %}
    {% if config.persist_column_docs() -%}
        {%- for column in model.columns.values() if column.description -%}
            comment on column {{ relation }}.{{ adapter.quote(column.name) }}
            is {{ duckdb_escape_comment(column.description) }};
        {% endfor -%}
    {%- endif -%}
{%- endmacro %}
