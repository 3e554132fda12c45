{#- dbt's own makes a view under another name, renames the one before and then this one, and drops
    that: six statements, of which each takes dbt longer than DuckDB takes for a view. -#}
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
