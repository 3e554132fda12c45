{#- All judgments, of any kind, from sets with a manifest of their own. -#}
{% macro task_judgments() -%}
    (
        {%- for table in ['ratings', 'preference_pairs', 'edit_verdicts', 'post_edits'] %}
        select judgment_set, task, item, judge from {{ source('raw', table) }}
        {{ 'union all' if not loop.last }}
        {%- endfor %}
    )
{%- endmacro %}
