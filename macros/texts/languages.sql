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

{#- Whether a metric scores a corpus: a model never scores texts that it was trained on. -#}
{% macro reads_corpus(metrics, corpora) -%}
    (
        {{ reads_language(metrics ~ '.languages', corpora ~ '.language') }}
        and {{ metrics }}.trained_on is distinct from {{ corpora }}.corpus
    )
{%- endmacro %}
