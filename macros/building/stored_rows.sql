{#- What the rows of every table hash to as a build left them, in ops.stored_rows: `maege doctor --deep`
    finds what was changed since by other hands (analysis/stored/caches/stored_rows.py). `rows` is
    null while a build may change them; `query` makes them again, `mend` is the command that mends.
    Of a table to which builds append, `expected` and `found` keep what was found before the last append. -#}

{% macro create_stored_rows() -%}
    create table if not exists ops.stored_rows (
        relation varchar,
        part varchar,
        rows varchar,
        query varchar,
        mend varchar,
        engine varchar,
        expected varchar,
        found varchar
    )
{%- endmacro %}

{#- Before a build: seeds and tables to which it appends lose what is stored of them, once it is noted
    which of the latter were changed. All others lose it when they are made anew (table.sql). -#}
{% macro expect_rows() %}
    {% if execute and flags.WHICH in ('build', 'run', 'seed') %}
        delete from ops.stored_rows where engine <> version();
        {% set seeds, appended = [], {} %}
        {% for name in selected_resources %}
            {% set node = graph.nodes.get(name, {}) %}
            {% if node.resource_type == 'seed' %}
                {% do seeds.append(node.schema ~ '.' ~ node.alias) %}
            {% elif node.resource_type == 'model' and node.config.materialized == 'incremental' %}
                {% do appended.update({node.schema ~ '.' ~ node.alias: node}) %}
            {% endif %}
        {% endfor %}
        {% set stored = stored_hashes(appended) %}
        {% set relations = [] %}
        {% for name in stored %}{% do relations.append(relation_of(appended[name])) %}{% endfor %}
        {% set hashes = row_hashes(relations) %}
        {% for name in stored %}
            {% set rows = hashes[loop.index0] %}
            {% if is_made_anew(appended[name]) %}
                update ops.stored_rows set expected = null, found = null where relation = '{{ name }}';
            {% elif rows != stored[name] %}
                update ops.stored_rows set expected = rows, found = '{{ rows }}'
                where relation = '{{ name }}';
            {% endif %}
        {% endfor %}
        {#- Who reads these tables asks what is in them once this run has appended to them. -#}
        delete from ops.row_hashes;
        update ops.stored_rows set rows = null
        where relation in ('{{ (seeds + appended.keys() | list) | join("', '") }}')
    {% endif %}
{% endmacro %}

{#- After a build: the rows of all tables of which nothing is stored. -#}
{% macro store_rows() %}
    {% if execute and flags.WHICH in ('build', 'run', 'test', 'seed') %}
        {% set lacking = run_query(
            "select schema_name, table_name from duckdb_tables() "
            ~ "where schema_name || '.' || table_name not in "
            ~ "(select relation from ops.stored_rows where rows is not null) order by all"
        ) %}
        {% set relations, nodes = [], {} %}
        {% for row in lacking.rows %}
            {#- dbt copies each node that it is asked for: all of them take a third of a second. -#}
            {% set ended = '.' ~ project_name ~ '.' ~ row[1] %}
            {% set node = graph.nodes.get('model' ~ ended) or graph.nodes.get('seed' ~ ended) %}
            {% set is_table = node and (
                node.resource_type == 'seed' or node.config.materialized in ('table', 'incremental')
            ) %}
            {% if is_table and node.schema == row[0] %}
                {% do relations.append(api.Relation.create(schema=row[0], identifier=row[1])) %}
                {% do nodes.update({row[0] ~ '.' ~ row[1]: node}) %}
            {% endif %}
        {% endfor %}
        {% if relations %}
            {{ insert_stored_rows(relations, nodes) }}
        {% endif %}
    {% endif %}
{% endmacro %}

{#- What is hashed already (`row_hashes`) is not hashed again. -#}
{% macro insert_stored_rows(relations, nodes) %}
    {% set known, hashed = {}, {} %}
    {% for row in run_query(
        "select relation, rows from ops.row_hashes where invocation_id = '" ~ invocation_id ~ "'"
    ).rows %}
        {% do known.update({row[0]: row[1]}) %}
    {% endfor %}
    {% for row in run_query(hashed_columns(relations)).rows %}
        {% do hashed.update({row[0] ~ '.' ~ row[1]: row[2]}) %}
    {% endfor %}
    create temporary table new_rows as
    {% for relation in relations %}
        {% set name = name_of(relation) %}
        {% set node = nodes[name] %}
        {% set hash = hash_of_rows('"' ~ relation.schema ~ '"."' ~ relation.identifier ~ '"', hashed[name]) %}
        select
            '{{ name }}' as relation,
            {{ "'" ~ known[name] ~ "'" if name in known else hash }} as rows,
            '{{ ("select " ~ hash) | replace("'", "''") }}' as query,
            '{{ mend_of(node) | replace("'", "''") }}' as mend
        {{ "union all" if not loop.last }}
    {% endfor %};
    create or replace temporary table marked as
    select relation, expected, found
    from ops.stored_rows
    where relation in (select relation from new_rows);
    delete from ops.stored_rows where relation in (select relation from new_rows);
    insert into ops.stored_rows
    select relation, '', rows, query, mend, version(), expected, found
    from new_rows
    left join marked using (relation);
    drop table marked;
    drop table new_rows
{% endmacro %}

{#- What is stored of those of these tables that are there, by name. -#}
{% macro stored_hashes(nodes) %}
    {% set stored = {} %}
    {% for row in run_query(
        "select relation, rows from ops.stored_rows where rows is not null "
        ~ "and engine = version() and relation in "
        ~ "(select schema_name || '.' || table_name from duckdb_tables()) order by all"
    ).rows if row[0] in nodes %}
        {% do stored.update({row[0]: row[1]}) %}
    {% endfor %}
    {{ return(stored) }}
{% endmacro %}

{#- Whether this run makes a table to which builds append anew. -#}
{% macro is_made_anew(node) %}
    {{ return(flags.FULL_REFRESH and node.config.full_refresh is not false) }}
{% endmacro %}

{#- The command that makes a table as the build had made it. -#}
{% macro mend_of(node) %}
    {% if node.resource_type == 'seed' %}
        {{ return("dbt build && maege publish") }}
    {% elif node.config.full_refresh is false %}
        {{ return(
            "dbt run-operation forget_cache --args 'name: " ~ node.name ~ "' && dbt build && maege publish"
        ) }}
    {% else %}
        {{ return(
            "dbt build --full-refresh --select " ~ node.name ~ "+ && dbt build && maege publish"
        ) }}
    {% endif %}
{% endmacro %}

{#- Drops a table that no `--full-refresh` makes anew, so that the next build does. -#}
{% macro forget_cache(name) %}
    {% set caches = {} %}
    {% for node in graph.nodes.values() if node.resource_type == 'model' %}
        {% if node.config.full_refresh is false %}{% do caches.update({node.name: node}) %}{% endif %}
    {% endfor %}
    {% if name not in caches %}
        {{ exceptions.raise_compiler_error(
            "found the cache " ~ name ~ "; expected one of " ~ caches | sort | join(", ")
            ~ ". Repeat with one of these; any other table is made anew by `dbt build --full-refresh`."
        ) }}
    {% endif %}
    {% set table = caches[name].schema ~ '.' ~ caches[name].alias %}
    {% do run_query(
        "begin transaction; drop table if exists " ~ table ~ "; "
        ~ "delete from ops.stored_rows where relation = '" ~ table ~ "'; commit"
    ) %}
{% endmacro %}
