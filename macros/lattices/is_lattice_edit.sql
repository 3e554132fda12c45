{#- Whether the lattices of a corpus are made of an edit: of corrections. The published run took
    insertions of nothing for edits, too, and had them in its chains. -#}
{% macro is_lattice_edit(corpus, edits='') -%}
    {% if var('replication') -%}
    ({{ edits }}kind = 'correction' or (
        {{ is_published_run(corpus) }}
        and {{ edits }}kind = 'detection'
        and {{ edits }}start_token = {{ edits }}end_token
        and {{ edits }}error_type <> 'UNK'
    ))
    {%- else -%}
    {{ edits }}kind = 'correction'
    {%- endif %}
{%- endmacro %}
