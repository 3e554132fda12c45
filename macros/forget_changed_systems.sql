{#- Rows of systems that changed, or that are no longer ingested. -#}
{% macro forget_changed_systems() -%}
    {% if is_incremental() %}
        delete from {{ this }}
        where fingerprint not in (select fingerprint from {{ ref('system_fingerprints') }})
    {% endif %}
{%- endmacro %}
