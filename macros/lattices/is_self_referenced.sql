{#- Whether a metric reads references by the annotators of the lattices: each chain ends in one of
    them. -#}
{% macro is_self_referenced(metric, references_mode) -%}
    (
        {{ references_mode }} = 'own'
        and {{ metric }} in (
            select registry.metric from {{ ref('metric_registry') }} as registry
            where registry.reference_based
        )
    )
{%- endmacro %}
