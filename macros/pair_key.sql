{#- Names what a metric is given: source, hypothesis and list of references. Unlike the keys made
    from content it lives for one build only, so that DuckDB's own fast hash will do. -#}
{% macro pair_key(source, hypothesis, references) -%}
    {{ adapter.dispatch('pair_key')(source, hypothesis, references) }}
{%- endmacro %}

{% macro default__pair_key(source, hypothesis, references) -%}
    {{ natural_key([source, hypothesis, references]) }}
{%- endmacro %}

{% macro duckdb__pair_key(source, hypothesis, references) -%}
    (hash({{ source }}, {{ hypothesis }}, {{ references }}) >> 1)::bigint
{%- endmacro %}
