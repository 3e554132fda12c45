{#- The results of the nodes of the last builds, in ops.node_results. `maege publish` refuses to
    publish if a node failed or a build has not ended. -#}

{% macro begin_build() %}
    {% do check_variables() %}
    {% if execute and flags.WHICH in ('build', 'run', 'test', 'seed') %}
        {% set corpora = run_query(
            "select count(*) from information_schema.tables "
            ~ "where table_schema = 'raw' and table_name = 'corpora'"
        ) %}
        {% if corpora.columns[0].values()[0] == 0 %}
            {{ exceptions.raise_compiler_error(
                "the warehouse " ~ target.path ~ " holds no corpus yet: ingest one first, such as "
                ~ "`maege ingest corpora/sample`, or run `make build`"
            ) }}
        {% endif %}
        {{ refuse_older_tables() }}
        {{ create_metric_scores() }};
        {{ create_grammaticality_coefficients() }};
        create schema if not exists ops;
        create table if not exists ops.node_results (
            node varchar,
            resource_type varchar,
            status varchar,
            finished_at timestamp,
            invocation_id varchar
        );
        create table if not exists ops.fingerprints (relation varchar, fingerprint varchar);
        {{ create_failures() }};
        create or replace table ops.row_hashes (relation varchar, rows varchar);
        create or replace table ops.analysis_code as select code_of('analysis') as code;
        {% if flags.WHICH in ('build', 'run') %}{{ record_variables() }};{% endif %}
        insert into ops.node_results
        values ('build', 'build', 'running', {{ utc_now() }}, '{{ invocation_id }}')
    {% endif %}
{% endmacro %}

{#- The raw tables must have the version of ingest/raw_schema.sql. -#}
{% macro refuse_older_tables() %}
    {% set columns = [] %}
    {% for row in run_query(
        "select table_name, column_name from duckdb_columns() where schema_name = 'raw'"
    ).rows %}{% do columns.extend([row[0], row[0] ~ "." ~ row[1]]) %}{% endfor %}
    {% if "corpora.n_sentences" not in columns %}
        {{ exceptions.raise_compiler_error(
            "an older version of maege ingested the corpora of " ~ target.path ~ ", whose tables "
            ~ "have other columns. Ingest their folders again: maege ingest FOLDER..."
        ) }}
    {% endif %}
    {% for source in graph.sources.values() if source.source_name == 'raw' %}
        {% if source.identifier not in columns %}
            {{ exceptions.raise_compiler_error(
                "the warehouse " ~ target.path ~ " lacks raw." ~ source.identifier ~ ": an older "
                ~ "version filled it. `maege build` adds what is new; then dbt builds, too"
            ) }}
        {% endif %}
    {% endfor %}
{% endmacro %}

{% macro record_results(results) %}
    {% if execute and flags.WHICH in ('build', 'run', 'test', 'seed') %}
        {% set rows = ["('', '', '', null::timestamp, '')"] %}
        {% for result in results %}
            {% if result.node.resource_type in ('model', 'seed', 'test', 'unit_test') %}
                {% do rows.append(
                    "('" ~ result.node.unique_id ~ "', '" ~ result.node.resource_type ~ "', '"
                    ~ result.status ~ "', " ~ utc_now() ~ ", '" ~ invocation_id ~ "')"
                ) %}
            {% endif %}
        {% endfor %}
        {#- Failures of nodes that no longer exist are deleted. -#}
        {% set known = ["''"] %}
        {% for name in graph.nodes %}{% do known.append("'" ~ name ~ "'") %}{% endfor %}
        {% for name in graph.get('unit_tests', {}) %}{% do known.append("'" ~ name ~ "'") %}{% endfor %}
        {% do run_query(
            "begin transaction; "
            ~ "create temporary table new_results as select * from (values " ~ rows | join(', ')
            ~ ") as listed (node, resource_type, status, finished_at, invocation_id) "
            ~ "where node <> ''; "
            ~ "delete from ops.node_results where node in (select node from new_results) "
            ~ "or node not in (" ~ known | join(', ') ~ "); "
            ~ "insert into ops.node_results select * from new_results; "
            ~ "drop table new_results; commit"
        ) %}
        {#- dbt-duckdb leaves the batch of an incremental Python model behind as a real table. -#}
        {% set batches = run_query(
            "select table_schema, table_name from information_schema.tables "
            ~ "where table_name like '%\_\_dbt\_tmp%' escape '\\'"
        ) %}
        {% for batch in batches.rows %}
            {% do run_query('drop table if exists "' ~ batch[0] ~ '"."' ~ batch[1] ~ '"') %}
        {% endfor %}
    {% endif %}
{% endmacro %}

{% macro utc_now() -%}
    (now() at time zone 'UTC')::timestamp
{%- endmacro %}
