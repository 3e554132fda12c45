{#- Rows of systems, reference sets and corpora that are no longer ingested. -#}
{% macro forget_systems() -%}
    delete from {{ this }}
    where (corpus, reference_set, system) not in (
        select (corpus, reference_set, system) from {{ ref('system_pairs') }}
    )
{%- endmacro %}
