{#- Whether the lattices of a corpus repeat a published run. Only `replication: true` has any. -#}
{% macro is_published_run(corpus) -%}
    {% if var('replication') -%}
    (
        {{ corpus }} in (
            select runs.corpus from {{ source('raw', 'lattices') }} as runs
            where runs.is_published_run
        )
    )
    {%- else -%}
        false
    {%- endif %}
{%- endmacro %}

{#- The published run's expression for a corpus that repeats one, else the paper's own definition.
    -#}
{% macro by_run(corpus, published, paper) -%}
    {% if var('replication') -%}
        if({{ is_published_run(corpus) }}, {{ published }}, {{ paper }})
    {%- else -%}
        {{ paper }}
    {%- endif %}
{%- endmacro %}

{#- The score by which texts are compared, larger is better. A published run has its own. -#}
{% macro run_score(corpus, scores) -%}
    {{ scores }}.direction
    * {{ by_run(corpus, scores ~ '.published_score', scores ~ '.score') }}
{%- endmacro %}
