{#- Why nodes failed, in ops.failures: the message, and for a data test the first sentences that
    it found, by corpus. `maege publish` names these sentences as candidates for removal. -#}

{% macro create_failures() -%}
    create table if not exists ops.failures (
        node varchar, message varchar, corpus varchar, sentence_id bigint
    )
{%- endmacro %}

{% macro record_failures(results) %}
    {% if execute and flags.WHICH in ('build', 'run', 'test', 'seed') %}
        {% set nodes = ["''"] %}
        {% for result in results %}{% do nodes.append("'" ~ result.node.unique_id ~ "'") %}{% endfor %}
        {% do run_query("delete from ops.failures where node in (" ~ nodes | join(', ') ~ ")") %}
        {% for result in results if result.status in ('error', 'fail', 'runtime error') %}
            {% set said = (result.message or '') | replace("'", "''") %}
            {% set start = "insert into ops.failures select '" ~ result.node.unique_id ~ "', '" ~ said ~ "', " %}
            {% set columns = found_columns(result) %}
            {% if 'corpus' in columns %}
                {% set sentence = 'min(sentence_id)' if 'sentence_id' in columns else 'null' %}
                {% do run_query(
                    start ~ "corpus, " ~ sentence ~ " from (" ~ result.node.compiled_code
                    ~ ") as found group by corpus"
                ) %}
            {% else %}
                {% do run_query(start ~ "null, null") %}
            {% endif %}
        {% endfor %}
    {% endif %}
{% endmacro %}

{#- The columns of the rows that a failed data test returned; none for other nodes. -#}
{% macro found_columns(result) %}
    {% set columns = [] %}
    {% if result.node.resource_type == 'test' and result.status == 'fail' %}
        {% for row in run_query("describe " ~ result.node.compiled_code).rows %}
            {% do columns.append(row[0]) %}
        {% endfor %}
    {% endif %}
    {{ return(columns) }}
{% endmacro %}
