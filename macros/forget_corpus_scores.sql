{#- Corpus scores of metrics and reference sets that are gone. -#}
{% macro forget_corpus_scores() -%}
    {% if is_incremental() %}
        delete from {{ this }}
        where scores_key not in (
            select distinct concat_ws('/', corpus, reference_set, metric)
            from {{ ref('system_sentence_scores') }}
        )
    {% endif %}
{%- endmacro %}
