{#- The score that a mode uses: the published run's own, or the metric's; the larger the better. -#}
{% macro mode_score(mode, scores) -%}
    {{ scores }}.direction
    * {{ by_mode(mode, scores ~ '.published_score', scores ~ '.score') }}
{%- endmacro %}

{#- Whether a metric scores a mode: of another one it has what both ask alone, which is no sample. -#}
{% macro is_scored_mode(metric, mode) -%}
    {% if var('replication') -%}
    (
        {{ mode }} = 'paper'
        or {{ metric }} not in (
            select scored.metric from {{ ref('metric_registry') }} as scored
            where scored.only_mode = 'paper'
        )
    )
    {%- else -%}
        true
    {%- endif %}
{%- endmacro %}
