{#- Names what a metric is given: source, hypothesis, references, edits and whether the gold has
    ERRANT's types. Unlike the keys made from content it lives for one build only, so that DuckDB's
    own fast hash will do. -#}
{% macro pair_key(inputs) -%}
    {{ adapter.dispatch('pair_key')(inputs) }}
{%- endmacro %}

{% macro default__pair_key(inputs) -%}
    {{ natural_key(inputs) }}
{%- endmacro %}

{% macro duckdb__pair_key(inputs) -%}
    (hash({{ inputs | join(", ") }}) >> 1)::bigint
{%- endmacro %}
