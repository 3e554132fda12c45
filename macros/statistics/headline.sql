{#- Whether a score uses the default references of its corpus, or no references. -#}
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

{#- Whether the selection of systems is the one for the headline: `base`, or `all` if the
    judgments have no selection `base`. -#}
{% macro is_chosen_system_set() -%}
    system_set = if(
        bool_or(system_set = 'base') over (partition by corpus, judgment_set), 'base', 'all'
    )
{%- endmacro %}
