{#- A warehouse of version 0.2 or older keeps its caches in other schemas: they move to those of today,
    so that nothing is scored twice, and the schemas that no model has any longer go with all that is
    in them, which a build makes anew. -#}
{% macro adopt_caches() %}
    {% set former = {
        'extraction.text_parses': 'caches.text_parses',
        'extraction.text_edits': 'caches.text_edits',
        'extraction.reference_edits': 'edits.reference_edits',
        'scoring.metric_statistics': 'caches.metric_statistics',
        'languagetool.grammar_checks': 'caches.grammar_checks',
    } %}
    {% set schemas = ['extraction', 'languagetool', 'lattice', 'rankings', 'scoring', 'validation'] %}
    {% set found = [] %}
    {% for row in run_query(
        "select schema_name || '.' || table_name from duckdb_tables() "
        ~ "where database_name = current_database()"
    ).rows %}{% do found.append(row[0]) %}{% endfor %}
    {% for old, new in former.items() if old in found and new not in found %}
        {% set schema, name = new.split('.') %}
        {% do adapter.cache_added(api.Relation.create(
            database=target.database, schema=schema, identifier=name, type='table'
        )) %}
        create schema if not exists {{ schema }};
        create table {{ new }} as from {{ old }};
        delete from ops.stored_rows where relation = '{{ old }}';
    {% endfor %}
    {% for schema in schemas %}drop schema if exists {{ schema }} cascade;{% endfor %}
{% endmacro %}

{#- Marts of an older version that no model makes any longer: nobody is to read, or publish, what no build
    renews. -#}
{% macro drop_former_marts() %}
    {% set models = [] %}
    {% for node in graph.nodes.values() if node.resource_type == 'model' and node.schema == 'marts' %}
        {% do models.append(node.alias) %}
    {% endfor %}
    {% for row in run_query(
        "select table_name, 'table' from duckdb_tables() "
        ~ "where database_name = current_database() and schema_name = 'marts' "
        ~ "union all select view_name, 'view' from duckdb_views() "
        ~ "where database_name = current_database() and schema_name = 'marts'"
    ).rows if row[0] not in models %}
        drop {{ row[1] }} if exists marts.{{ adapter.quote(row[0]) }} cascade;
        delete from ops.stored_rows where relation = 'marts.{{ row[0] }}';
    {% endfor %}
{% endmacro %}
