{#- Whether the lattices of a corpus contain an edit: only corrections. The published run also
    treated insertions of nothing as edits. -#}
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
