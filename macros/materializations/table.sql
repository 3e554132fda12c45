{#- A table that is left as it is while nothing that it is made of has changed: its own code with all
    variables and macros in it, its documentation, the Python code of analysis/, and the rows of the
    relations that it reads. A table that is made anew with the rows that it had changes nothing for
    those that read it. `--full-refresh` builds anyway, as does `meta: {always_built: true}`, for models
    that ask what is installed. -#}
{% materialization table, adapter="duckdb", supported_languages=["sql", "python"] %}
    {%- set existing = load_cached_relation(this) -%}
    {%- set target = this.incorporate(type="table") -%}
    {%- set fingerprints = table_fingerprints(this, model, compiled_code) -%}
    {%- set is_unchanged = (
        existing is not none and existing.is_table and fingerprints.stored == fingerprints.now
    ) -%}

    {%- if is_unchanged and not should_full_refresh() and not model.config.meta.always_built -%}
        {% call noop_statement("main", "UNCHANGED", "UNCHANGED") %}{% endcall %}
    {%- else -%}
        {{ run_hooks(pre_hooks, inside_transaction=False) }}
        {{ run_hooks(pre_hooks, inside_transaction=True) }}
        {#- One statement, one transaction: what dbt does beside each takes longer than most do. -#}
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
                {{ record_table(target, fingerprints.now) }}
            {% endcall %}
        {%- else -%}
            {% call statement("main") -%}
                {{ drop_existing(existing) }}
                {{ create_table_as(False, target, compiled_code) }};
                {{ record_table(target, fingerprints.now) }}
            {%- endcall %}
        {%- endif -%}
        {{ run_hooks(post_hooks, inside_transaction=True) }}
        {{ adapter.commit() }}
        {{ run_hooks(post_hooks, inside_transaction=False) }}
    {%- endif -%}

    {{ return({"relations": [target]}) }}
{% endmaterialization %}

{#- The rows that a Python model returned, as a table with the columns, types and constraints of the
    model's YAML. dbt enforces contracts of SQL models only. -#}
{% macro create_table_with_contract(relation, rows) -%}
    {%- set query = "select * from " ~ rows -%}
    {{ get_assert_columns_equivalent(query) }}
    create table {{ relation }} {{ get_table_columns_and_constraints() }};
    insert into {{ relation }} {{ get_column_names() }} (
        {{ get_select_subquery(query) }}
    );
    drop table {{ rows }};
{%- endmacro %}

{% macro drop_existing(relation) -%}
    {%- if relation is not none -%}
        {%- do adapter.cache_dropped(relation) -%}
        drop {{ relation.type }} if exists {{ relation }} cascade;
    {%- endif -%}
{%- endmacro %}

{#- What is kept of a table that has just been made: of what it was, and its documentation. -#}
{% macro record_table(relation, fingerprint) -%}
    delete from ops.fingerprints where relation = '{{ relation }}';
    insert into ops.fingerprints values ('{{ relation }}', '{{ fingerprint }}');
    delete from ops.stored_rows where relation = '{{ name_of(relation) }}';
    {{ put_documentation(relation) }}
{%- endmacro %}

{#- A model's documentation on its relation and on the columns of it, where the model says so. -#}
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

{#- Two texts that change with everything a model's table depends on: what it is made of `now`, and
    what the table that is there was made of, as `stored`. -#}
{% macro table_fingerprints(relation, model, code) %}
    {%- set written = [code, model.description, model.config.meta | tojson] -%}
    {%- for column in model.columns.values() -%}
        {%- do written.append(column.name ~ " " ~ column.data_type ~ " " ~ column.description) -%}
    {%- endfor -%}
    {%- set inputs = [] -%}
    {%- for node in model.depends_on.nodes | sort -%}
        {%- do inputs.append(relation_of(graph.nodes.get(node) or graph.sources.get(node))) -%}
    {%- endfor -%}
    {%- set known = {"code": {}, "table": {}, "rows": {}} -%}
    {%- for row in run_query(known_fingerprints(relation, inputs)).rows -%}
        {%- do known[row[0]].update({row[1]: row[2]}) -%}
    {%- endfor -%}
    {%- set parts = [local_md5(written | join("\n")), known["code"]["analysis"]] -%}
    {%- do parts.extend(row_hashes(inputs, known["rows"])) -%}
    {{ return({
        "now": local_md5(parts | join("|")), "stored": known["table"].get(relation | string)
    }) }}
{% endmacro %}

{#- A query for what is known: the fingerprint of a table, the hashes of the rows of its inputs, as
    an earlier build or this one found them, and the name of the code of analysis/. -#}
{% macro known_fingerprints(relation, inputs) -%}
    {%- set names = [] -%}
    {%- for input in inputs -%}{%- do names.append(name_of(input)) -%}{%- endfor -%}
    {%- set names = "'" ~ names | join("', '") ~ "'" -%}
    select 'code' as kind, 'analysis' as name, code from ops.analysis_code
    union all
    select 'table', relation, fingerprint from ops.fingerprints where relation = '{{ relation }}'
    union all
    select 'rows', relation, rows from ops.stored_rows
    where rows is not null and engine = version() and relation in ({{ names }})
    union all
    select 'rows', relation, rows from ops.row_hashes
    where invocation_id = '{{ invocation_id }}' and relation in ({{ names }})
{%- endmacro %}

{#- The relation of a node of the graph. -#}
{% macro relation_of(node) %}
    {{ return(api.Relation.create(
        database=node.database, schema=node.schema, identifier=node.alias or node.identifier
    )) }}
{% endmacro %}

{#- The name under which hashes of rows are kept. -#}
{% macro name_of(relation) -%}
    {{ return(relation.schema ~ "." ~ relation.identifier) }}
{%- endmacro %}

{#- The hash of the rows of each of these relations, where it is not `known`; none for what is not
    there. Kept for the rest of the build: whatever reads a relation runs after the one node that
    writes it. -#}
{% macro row_hashes(relations, known={}) -%}
    {%- set found, missing = {}, [] -%}
    {%- do found.update(known) -%}
    {%- for relation in relations if name_of(relation) not in found -%}
        {%- do missing.append(relation) -%}
    {%- endfor -%}
    {%- if missing -%}
        {%- set columns, queries, kept = {}, [], [] -%}
        {%- for row in run_query(hashed_columns(missing)).rows -%}
            {%- do columns.update({row[0] ~ "." ~ row[1]: row[2]}) -%}
        {%- endfor -%}
        {%- for relation in missing if name_of(relation) in columns -%}
            {%- set rows = hash_of_rows(relation, columns[name_of(relation)]) -%}
            {%- do queries.append("select '" ~ name_of(relation) ~ "' as relation, " ~ rows ~ " as rows") -%}
        {%- endfor -%}
        {%- for row in (run_query(queries | join(" union all ")).rows if queries else []) -%}
            {%- do found.update({row[0]: row[1]}) -%}
            {%- do kept.append("('" ~ row[0] ~ "', '" ~ row[1] ~ "', '" ~ invocation_id ~ "')") -%}
        {%- endfor -%}
        {%- if kept -%}
            {%- do run_query("insert into ops.row_hashes values " ~ kept | join(", ")) -%}
        {%- endif -%}
    {%- endif -%}
    {%- set hashes = [] -%}
    {%- for relation in relations -%}{%- do hashes.append(found.get(name_of(relation))) -%}{%- endfor -%}
    {{ return(hashes) }}
{%- endmacro %}
