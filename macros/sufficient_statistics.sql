{#- Where a family keeps a statistic that models read by name (analysis/metrics holds the same names in the same order;
    tests/test_macros.py compares them). -#}
{% macro statistic_names(family) -%}
    {%- set imeasure = [
        'correction_tp', 'correction_tn', 'correction_fp', 'correction_fn', 'correction_fpn',
        'base_correction_tp', 'base_correction_tn', 'base_correction_fp', 'base_correction_fn',
        'base_correction_fpn', 'detection_tp', 'detection_tn', 'detection_fp', 'detection_fn',
        'detection_fpn', 'base_detection_tp', 'base_detection_tn', 'base_detection_fp',
        'base_detection_fn', 'base_detection_fpn', 'n_references', 'approximated',
    ] -%}
    {{ return({
        'm2': ['tp', 'proposed', 'gold', 'approximated'],
        'imeasure': imeasure,
        'imeasure_mix': imeasure,
    }[family]) }}
{%- endmacro %}

{#- One statistic of a flattened list; `reference` counts from 0 where a family keeps one row of
    statistics for each reference. -#}
{% macro statistic(family, name, reference='0', statistics='statistics') -%}
    {%- set names = statistic_names(family) -%}
    {{ statistics }}[{{ reference }} * {{ names | length }} + {{ names.index(name) + 1 }}]
{%- endmacro %}

{#- A value for each reference, as a list: `expression` may use the lambda's `reference`. -#}
{% macro for_each_reference(family, expression, statistics='statistics') -%}
    list_transform(
        range(len({{ statistics }}) // {{ statistic_names(family) | length }}),
        lambda reference: {{ expression }}
    )
{%- endmacro %}

{#- How far a system's accuracy gets from the source's own towards 1, or back towards 0. -#}
{% macro improvement(accuracy, base) -%}
    case
        when {{ accuracy }} = {{ base }} then floor({{ accuracy }})
        when {{ accuracy }} > {{ base }} then ({{ accuracy }} - {{ base }}) / (1 - {{ base }})
        else {{ accuracy }} / {{ base }} - 1
    end
{%- endmacro %}
