{#- The project's variables in this run, in ops.variables: `maege publish` copies them into the
    marts. Variables about where to compute are left out, because they change no number and may
    contain an address. -#}
{% macro record_variables() %}
    {% set project = run_query("select content from read_text('dbt_project.yml')") %}
    {% set rows = ["('', '')"] %}
    {% for name in fromyaml(project.columns[0].values()[0]).vars %}
        {% if name not in ('scheduler', 'workers') %}
            {% set value = tojson(var(name)) | replace("'", "''") %}
            {% do rows.append("('" ~ name ~ "', '" ~ value ~ "')") %}
        {% endif %}
    {% endfor %}
    create or replace table ops.variables as
    select * from (values {{ rows | join(', ') }}) as listed (name, value)
    where name <> ''
{%- endmacro %}
