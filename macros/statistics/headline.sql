{#- Whether a score compares with the default references of its corpus, or with none. -#}
{% macro has_default_references() -%}
    coalesce(
        reference_set = 'none'
        or (corpus, reference_set) in (
            select (sets.corpus, sets.reference_set)
            from {{ ref('reference_sets') }} as sets where sets.is_default
        ),
        false
    )
{%- endmacro %}

{#- Whether systems are those that a metric is to be judged by: the choice `base` of the judgments, or
    all of them where they have no such choice. -#}
{% macro is_chosen_system_set() -%}
    system_set = if(
        bool_or(system_set = 'base') over (partition by corpus, judgment_set), 'base', 'all'
    )
{%- endmacro %}
