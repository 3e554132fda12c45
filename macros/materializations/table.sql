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
            insert into ops.fingerprints values ('{{ this }}', '{{ fingerprint }}');
            delete from ops.stored_rows where relation = '{{ this.schema }}.{{ this.identifier }}'
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
    {%- for fingerprint in input_fingerprints(model.depends_on.nodes) -%}
        {%- do parts.append("'" ~ fingerprint ~ "'") -%}
    {%- endfor -%}
    {%- set result = run_query("select md5(concat_ws('|', " ~ parts | join(", ") ~ "))") -%}
    {{ return(result.columns[0].values()[0]) }}
{% endmacro %}

{#- One text for each of these nodes, that changes with its rows. -#}
{% macro input_fingerprints(nodes) -%}
    {%- set found, tables, others = [], [], [] -%}
    {%- for node in nodes | sort -%}
        {%- set read = graph.nodes.get(node) or graph.sources.get(node) -%}
        {%- set relation = api.Relation.create(
            database=read.database, schema=read.schema, identifier=read.alias or read.identifier
        ) -%}
        {%- if read.config.materialized == "table" and not read.config.meta.always_built -%}
            {%- do tables.append(relation) -%}
        {%- else -%}
            {%- do others.append(relation) -%}
        {%- endif -%}
    {%- endfor -%}
    {#- Looked up first: beside a subquery with the fingerprint, one with the rows would run, too. -#}
    {%- set fingerprints = fingerprints_of(tables) -%}
    {%- for relation in tables -%}
        {%- if relation | string in fingerprints -%}
            {%- do found.append(fingerprints[relation | string]) -%}
        {%- else -%}
            {%- do others.append(relation) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do found.extend(row_hashes(others)) -%}
    {{ return(found) }}
{%- endmacro %}

{#- The hash of the rows of each of these relations. Kept for the rest of the build: whatever reads a
    relation runs after the one node that writes it. -#}
{% macro row_hashes(relations) -%}
    {%- set found, missing = {}, [] -%}
    {%- if relations -%}
        {%- set known = run_query(
            "select relation, rows from ops.row_hashes where invocation_id = '" ~ invocation_id
            ~ "' and relation in ('" ~ relations | join("', '") ~ "')"
        ) -%}
        {%- for row in known.rows -%}{%- do found.update({row[0]: row[1]}) -%}{%- endfor -%}
        {%- for relation in relations if relation | string not in found -%}
            {%- do missing.append(relation) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- set hashed = {} -%}
    {%- for row in (run_query(hashed_columns(missing)).rows if missing else []) -%}
        {%- do hashed.update({row[0] ~ "." ~ row[1]: row[2]}) -%}
    {%- endfor -%}
    {%- for relation in missing -%}
        {%- set columns = hashed[relation.schema ~ "." ~ relation.identifier] -%}
        {%- set rows = run_query("select " ~ hash_of_rows(relation, columns)).columns[0].values()[0] -%}
        {%- do run_query(
            "insert into ops.row_hashes values ('" ~ relation ~ "', '" ~ rows ~ "', '"
            ~ invocation_id ~ "')"
        ) -%}
        {%- do found.update({relation | string: rows}) -%}
    {%- endfor -%}
    {%- set hashes = [] -%}
    {%- for relation in relations -%}{%- do hashes.append(found[relation | string]) -%}{%- endfor -%}
    {{ return(hashes) }}
{%- endmacro %}

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
