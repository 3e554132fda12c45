{#- The modes of lattices that a build has, as a list in SQL: with `replication: true` also the lattices
    of the published run. -#}
{% macro modes() -%}
    ('paper'{{ ", 'as_published'" if var('replication') }})
{%- endmacro %}

{#- What the published run used in mode `as_published`, and the paper's own definition in mode `paper`. -#}
{% macro by_mode(mode, published, paper) -%}
    {% if var('replication') -%}
        if({{ mode }} = 'as_published', {{ published }}, {{ paper }})
    {%- else -%}
        {{ paper }}
    {%- endif %}
{%- endmacro %}
