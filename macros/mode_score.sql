{#- The score that a mode uses: the published run's own, or the metric's. -#}
{% macro mode_score(mode, scores) -%}
    if({{ mode }} = 'as_published', {{ scores }}.published_score, {{ scores }}.score)
{%- endmacro %}
