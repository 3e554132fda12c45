{#- Key of the inputs of a metric: source, hypothesis, references, edits and whether the gold has
    ERRANT's types. It lives for one build only, so DuckDB's fast hash is sufficient. -#}
{% macro pair_key(inputs) -%}
    {{ adapter.dispatch('pair_key')(inputs) }}
{%- endmacro %}

{% macro default__pair_key(inputs) -%}
    {{ natural_key(inputs) }}
{%- endmacro %}

{% macro duckdb__pair_key(inputs) -%}
    (hash({{ inputs | join(", ") }}) >> 1)::bigint
{%- endmacro %}
