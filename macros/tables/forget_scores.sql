{#- Rows of metrics and reference sets that are not among the scores any longer. -#}
{% macro forget_scores(scores) -%}
    {% if is_incremental() %}
        delete from {{ this }}
        where scores_key not in (
            select distinct concat_ws('/', corpus, reference_set, metric) from {{ ref(scores) }}
        )
    {% endif %}
{%- endmacro %}
