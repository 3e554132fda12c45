{#- What each table was made of, in ops.made_of: every stored table that it reads, through views, and
    what that held. `maege publish` refuses while a mart is older than what it is made of. -#}

{% macro create_made_of() -%}
    create table if not exists ops.made_of (relation varchar, input varchar, state varchar)
{%- endmacro %}

{#- What stored tables hold, as ops.stored_rows and, of what was ingested, raw.stored_rows say. -#}
{% macro create_states() -%}
    {%- set ingested = run_query(
        "select count(*) from duckdb_tables() where schema_name = 'raw' and table_name = 'stored_rows'"
    ) -%}
    create or replace view ops.states as
    select relation, rows as state from ops.stored_rows where rows is not null
    {%- if ingested.columns[0].values()[0] %}
    union all
    select relation, md5(string_agg(part || ' ' || rows, '|' order by part, rows))
    from raw.stored_rows
    group by relation
    {%- endif %}
{%- endmacro %}

{#- After a build, once `store_rows` has run: what the models that it ran are made of now. Of a view
    it is only kept what it reads: it holds what that does. -#}
{% macro record_made_of(results) %}
    {% if execute and flags.WHICH in ('build', 'run') %}
        {% set made, rows, views = [], [], {} %}
        {% for result in results if result.node.resource_type == 'model' and result.status == 'success' %}
            {% set relation = result.node.schema ~ '.' ~ result.node.alias %}
            {% set is_view = result.node.config.materialized == 'view' %}
            {% do made.append("'" ~ relation ~ "'") %}
            {% for input in stored_inputs(result.node, views) %}
                {% do rows.append("('" ~ relation ~ "', '" ~ input ~ "', " ~ is_view ~ ")") %}
            {% endfor %}
        {% endfor %}
        {% if rows %}
            {{ create_states() }};
            delete from ops.made_of where relation in ({{ made | join(', ') }});
            insert into ops.made_of
            select
                listed.relation,
                listed.input,
                case when not listed.is_view then coalesce(states.state, '') end
            from (values {{ rows | join(', ') }}) as listed (relation, input, is_view)
            left join ops.states as states
                on listed.input = states.relation;
            delete from ops.made_of where relation not in (
                select schema_name || '.' || table_name from duckdb_tables()
                union all
                select schema_name || '.' || view_name from duckdb_views()
            )
        {% endif %}
    {% endif %}
{% endmacro %}

{#- The names of the stored tables that a node reads, through views; `views` keeps those of views. -#}
{% macro stored_inputs(node, views) %}
    {% set inputs = [] %}
    {% for name in node.depends_on.nodes %}
        {% if name not in views %}
            {% set read = graph.sources.get(name) or graph.nodes.get(name) %}
            {% if read.config.materialized == 'view' %}
                {% do views.update({name: stored_inputs(read, views)}) %}
            {% else %}
                {% do views.update({name: [read.schema ~ '.' ~ (read.alias or read.identifier)]}) %}
            {% endif %}
        {% endif %}
        {% do inputs.extend(views[name]) %}
    {% endfor %}
    {{ return(inputs | unique | list) }}
{% endmacro %}
