{#- A table that is left as it is while nothing that it is made of has changed: its own code with all
    variables and macros in it, its documentation, the Python code of analysis/, and the rows of the
    relations that it reads. Of relations that are such tables themselves the fingerprint is known;
    of all others the rows are hashed, which takes a tenth of the time of building from them.
    `--full-refresh` builds anyway, as does `meta: {always_built: true}`, for models that ask what is
    installed. -#}
{% materialization table, adapter="duckdb", supported_languages=["sql", "python"] %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set target = this.incorporate(type="table") -%}
    {%- set fingerprint = table_fingerprint(model, compiled_code) -%}
    {%- set written = run_query(
        "select 1 from ops.fingerprints where relation = '" ~ this
        ~ "' and fingerprint = '" ~ fingerprint ~ "'"
    ) -%}

    {%- set is_unchanged = existing is not none and existing.is_table and written.rows -%}

    {%- if is_unchanged and not should_full_refresh() and not model.config.meta.always_built -%}
        {% call noop_statement("main", "UNCHANGED", "UNCHANGED") %}{% endcall %}
    {%- else -%}
        {%- set new = make_intermediate_relation(target) -%}
        {%- set old = make_backup_relation(target, "table" if existing is none else existing.type) -%}
        {{ drop_relation_if_exists(load_cached_relation(new)) }}
        {{ drop_relation_if_exists(load_cached_relation(old)) }}
        {{ run_hooks(pre_hooks, inside_transaction=False) }}
        {{ run_hooks(pre_hooks, inside_transaction=True) }}
        {% call statement("main", language=model["language"]) -%}
            {{ create_table_as(False, new, compiled_code, model["language"]) }}
        {%- endcall %}
        {% if existing is not none %}{% do adapter.rename_relation(existing, old) %}{% endif %}
        {% do adapter.rename_relation(new, target) %}
        {% call statement("record_fingerprint") %}
            delete from ops.fingerprints where relation = '{{ this }}';
            insert into ops.fingerprints values ('{{ this }}', '{{ fingerprint }}')
        {% endcall %}
        {{ run_hooks(post_hooks, inside_transaction=True) }}
        {% do persist_docs(target, model) %}
        {{ adapter.commit() }}
        {{ drop_relation_if_exists(old) }}
        {{ run_hooks(post_hooks, inside_transaction=False) }}
    {%- endif -%}

    {{ return({"relations": [target]}) }}
{% endmaterialization %}

{#- One text that changes with everything a model's table depends on. -#}
{% macro table_fingerprint(model, code) %}
    {%- set written = [code, model.description, model.config.meta | tojson] -%}
    {%- for column in model.columns.values() -%}
        {%- do written.append(column.name ~ " " ~ column.data_type ~ " " ~ column.description) -%}
    {%- endfor -%}
    {%- set parts = ["'" ~ local_md5(written | join("\n")) ~ "'", "(select code from ops.analysis_code)"] -%}
    {%- set tables, others = [], [] -%}
    {%- for node in model.depends_on.nodes | sort -%}
        {%- set read = graph.nodes.get(node) or graph.sources.get(node) -%}
        {%- set relation = api.Relation.create(
            database=read.database, schema=read.schema, identifier=read.alias or read.identifier
        ) -%}
        {%- set is_table = read.config.materialized == "table" and not read.config.meta.always_built -%}
        {%- do (tables if is_table else others).append(relation) -%}
    {%- endfor -%}
    {#- Looked up first: beside a subquery with the fingerprint, one with the rows would run, too. -#}
    {%- set fingerprints = fingerprints_of(tables) -%}
    {%- for relation in tables -%}
        {%- if relation | string in fingerprints -%}
            {%- do parts.append("'" ~ fingerprints[relation | string] ~ "'") -%}
        {%- else -%}
            {%- do others.append(relation) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set lists = run_query(list_columns(others)).rows if others else [] -%}
    {%- for relation in others -%}
        {%- do parts.append(hash_of_rows(relation, lists)) -%}
    {%- endfor -%}
    {%- set result = run_query("select md5(concat_ws('|', " ~ parts | join(", ") ~ "))") -%}
    {{ return(result.columns[0].values()[0]) }}
{% endmacro %}

{#- The fingerprints of those of these relations that have one, by relation. -#}
{% macro fingerprints_of(relations) -%}
    {%- set found = {} -%}
    {%- if relations -%}
        {%- set rows = run_query(
            "select relation, fingerprint from ops.fingerprints where relation in ('"
            ~ relations | join("', '") ~ "')"
        ).rows -%}
        {%- for row in rows -%}{%- do found.update({row[0]: row[1]}) -%}{%- endfor -%}
    {%- endif -%}
    {{ return(found) }}
{%- endmacro %}
