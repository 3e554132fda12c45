{#- Whether the lattices of a corpus repeat a published run. Only with `replication: true` there are any. -#}
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

{#- What the published run used for a corpus that repeats it, the paper's own definition for others. -#}
{% macro by_run(corpus, published, paper) -%}
    {% if var('replication') -%}
        if({{ is_published_run(corpus) }}, {{ published }}, {{ paper }})
    {%- else -%}
        {{ paper }}
    {%- endif %}
{%- endmacro %}

{#- The score by which texts are compared, the larger the better: of a published run its own. -#}
{% macro run_score(corpus, scores) -%}
    {{ scores }}.direction
    * {{ by_run(corpus, scores ~ '.published_score', scores ~ '.score') }}
{%- endmacro %}
