{#- A table that is not rebuilt while its fingerprint is unchanged. The fingerprint is a hash of
    the compiled code with its variables and macros, the documentation, the code in analysis/ with
    package versions, and the rows of all inputs. `--full-refresh` always rebuilds the table; so
    does `meta: {always_built: true}`, for models that depend on what is installed. -#}
{% materialization table, adapter="duckdb", supported_languages=["sql", "python"] %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set target = this.incorporate(type="table") -%}
    {%- set fingerprint = table_fingerprint(this, model, compiled_code) -%}
    {%- set is_unchanged = existing is not none and existing.is_table and fingerprint.is_unchanged -%}

    {%- if is_unchanged and not should_full_refresh() and not model.config.meta.always_built -%}
        {% call noop_statement("main", "UNCHANGED", "UNCHANGED") %}{% endcall %}
    {%- else -%}
        {{ run_hooks(pre_hooks, inside_transaction=False) }}
        {{ run_hooks(pre_hooks, inside_transaction=True) }}
        {#- One statement is one transaction; dbt's overhead for it exceeds the time of most
            tables. -#}
        {%- if model.language == "python" -%}
            {%- set new = make_intermediate_relation(target) -%}
            {{ drop_relation_if_exists(load_cached_relation(new)) }}
            {% call statement("main", language="python") -%}
                {{ create_table_as(False, new, compiled_code, "python") }}
            {%- endcall %}
            {% call statement("replace") %}
                {{ drop_existing(existing) }}
                {%- if model.columns.values() | selectattr("data_type") | list %}
                {{ create_table_with_contract(target, new) }}
                {%- else %}
                alter table {{ new }} rename to {{ adapter.quote(target.identifier) }};
                {%- endif %}
                {{ record_fingerprint(target, fingerprint.now) }}
                {{ put_documentation(target) }}
            {% endcall %}
        {%- else -%}
            {% call statement("main") -%}
                {{ drop_existing(existing) }}
                {{ create_table_as(False, target, compiled_code) }};
                {{ record_fingerprint(target, fingerprint.now) }}
                {{ put_documentation(target) }}
            {%- endcall %}
        {%- endif -%}
        {{ run_hooks(post_hooks, inside_transaction=True) }}
        {{ adapter.commit() }}
        {{ run_hooks(post_hooks, inside_transaction=False) }}
    {%- endif -%}

    {{ return({"relations": [target]}) }}
{% endmaterialization %}

{#- The rows of a Python model, as a table with the columns, types and constraints of the model's
    YAML. dbt enforces contracts only for SQL models. -#}
{% macro create_table_with_contract(relation, rows) -%}
    {%- set query = "select * from " ~ rows -%}
    {{ get_assert_columns_equivalent(query) }}
    create table {{ relation }} {{ get_table_columns_and_constraints() }};
    insert into {{ relation }} {{ get_column_names() }} (
        {{ get_select_subquery(query) }}
    );
    drop table {{ rows }};
{%- endmacro %}

{% macro record_fingerprint(relation, fingerprint) -%}
    delete from ops.fingerprints where relation = '{{ relation }}';
    insert into ops.fingerprints values ('{{ relation }}', '{{ fingerprint }}');
{%- endmacro %}

{#- The fingerprint of a model's table `now`, and whether the stored table has the same one. -#}
{% macro table_fingerprint(relation, model, code) %}
    {%- set parts = [code, model.description, model.config.meta | tojson] -%}
    {%- for column in model.columns.values() -%}
        {%- do parts.append(column.name ~ " " ~ column.data_type ~ " " ~ column.description) -%}
    {%- endfor -%}
    {%- set inputs = [] -%}
    {%- for name in model.depends_on.nodes | sort -%}
        {%- set node = graph.nodes.get(name) or graph.sources.get(name) -%}
        {%- do inputs.append(node.schema ~ "." ~ (node.alias or node.identifier)) -%}
    {%- endfor -%}
    {%- set known = {"code": {}, "table": {}, "rows": {}} -%}
    {%- for row in run_query(
        "select 'code', '', code from ops.analysis_code "
        ~ "union all select 'rows', * from ops.row_hashes "
        ~ "where relation in ('" ~ inputs | join("', '") ~ "') "
        ~ "union all select 'table', * from ops.fingerprints where relation = '" ~ relation ~ "'"
    ).rows -%}
        {%- do known[row[0]].update({row[1]: row[2]}) -%}
    {%- endfor -%}
    {%- do parts.append(known["code"][""]) -%}
    {%- do known["rows"].update(new_row_hashes(inputs | reject("in", known["rows"]) | list)) -%}
    {%- for input in inputs -%}{%- do parts.append(known["rows"].get(input)) -%}{%- endfor -%}
    {%- set now = local_md5(parts | join("|")) -%}
    {{ return({"now": now, "is_unchanged": known["table"].get(relation | string) == now}) }}
{% endmacro %}
