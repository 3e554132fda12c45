{#- A tokenised sentence after a single edit, trimmed. -#}
{% macro single_edit_text(tokens, start_token, end_token, correction) -%}
    {{ squeezed(
        "array_to_string(list_concat(" ~ tokens ~ "[1 : " ~ start_token ~ "], [" ~ correction
        ~ "], " ~ tokens ~ "[" ~ end_token ~ " + 1 :]), ' ')"
    ) }}
{%- endmacro %}
