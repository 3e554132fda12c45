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
