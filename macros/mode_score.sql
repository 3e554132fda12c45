{#- The score that a mode uses: the published run's own, or the metric's; the larger the better. -#}
{% macro mode_score(mode, scores) -%}
    {{ scores }}.direction
    * if({{ mode }} = 'as_published', {{ scores }}.published_score, {{ scores }}.score)
{%- endmacro %}
