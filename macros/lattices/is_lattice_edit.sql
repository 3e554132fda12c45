{#- Whether lattices of a mode are made of an edit: of corrections. The published run took insertions of
    nothing for edits, too, and had them in its chains. -#}
{% macro is_lattice_edit(mode, edits='') -%}
    {% if var('replication') -%}
    ({{ edits }}kind = 'correction' or (
        {{ mode }} = 'as_published'
        and {{ edits }}kind = 'detection'
        and {{ edits }}start_token = {{ edits }}end_token
        and {{ edits }}error_type <> 'UNK'
    ))
    {%- else -%}
    {{ edits }}kind = 'correction'
    {%- endif %}
{%- endmacro %}
