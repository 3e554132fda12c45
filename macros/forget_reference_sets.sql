{#- Scores of reference sets that are no longer ingested. -#}
{% macro forget_reference_sets() -%}
    {% if is_incremental() %}
        delete from {{ this }}
        where reference_set_key not in (
            select distinct corpus || '/' || reference_set from {{ ref('system_sentence_scores') }}
        )
    {% endif %}
{%- endmacro %}
