{#- Whether a metric is shown what the lattices' own annotators wrote: each chain ends in it. -#}
{% macro is_self_referenced(metric, references_mode) -%}
    (
        {{ references_mode }} = 'own'
        and {{ metric }} in (
            select registry.metric from {{ ref('metric_registry') }} as registry
            where registry.reference_based
        )
    )
{%- endmacro %}
