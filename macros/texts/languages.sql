{#- Whether a metric can read a language: one of the tags that it names, or with more said after it,
    such as `en-GB` for `en`; a metric that names none reads any. -#}
{% macro reads_language(languages, language) -%}
    (
        {{ languages }} is null
        or len(list_filter(
            {{ languages }},
            lambda known: {{ language }} = known or starts_with({{ language }}, known || '-')
        )) > 0
    )
{%- endmacro %}

{#- Whether a metric scores a corpus: no model judges a text by what it has learned of that text. -#}
{% macro reads_corpus(metrics, corpora) -%}
    (
        {{ reads_language(metrics ~ '.languages', corpora ~ '.language') }}
        and {{ metrics }}.trained_on is distinct from {{ corpora }}.corpus
    )
{%- endmacro %}
