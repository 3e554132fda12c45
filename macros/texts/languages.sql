{#- Whether a metric can read a language: one of the tags that it names, or a longer tag, such as
    `en-GB` for `en`. A metric that names no language reads all. -#}
{% macro reads_language(languages, language) -%}
    (
        {{ languages }} is null
        or len(list_filter(
            {{ languages }},
            lambda known: {{ language }} = known or starts_with({{ language }}, known || '-')
        )) > 0
    )
{%- endmacro %}
