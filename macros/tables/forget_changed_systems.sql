{#- Rows of systems that changed, or that are no longer ingested. -#}
{% macro forget_changed_systems(fingerprint="fingerprint") -%}
    {% if is_incremental() %}
        delete from {{ this }}
        where fingerprint not in (
            select {{ fingerprint }} from {{ ref('output_fingerprints') }}
        )
    {% endif %}
{%- endmacro %}

{#- The fingerprint of a system for a Python model: its rows depend on its code as well. -#}
{% macro fingerprint_with_code(model) -%}
    md5(concat_ws(
        '/', fingerprint, (select code from ops.model_code where model = '{{ model }}')
    ))
{%- endmacro %}
