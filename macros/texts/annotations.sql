{#- Annotations as text: the same as analysis/edits.py reads and writes. -#}
{% macro annotation_text(start_token, end_token, error_type, corrections, error_group, order) -%}
    string_agg(
        concat_ws(
            chr(31),
            {{ start_token }},
            {{ end_token }},
            {{ error_type }},
            {{ corrections }},
            coalesce({{ error_group }}, '')
        ),
        chr(30) order by {{ order }}
    )
{%- endmacro %}

{#- Names a list of annotations; NULL stands for an annotator without a line. No annotation is its
    mark: chr(29) is what two systems did that changed nothing. -#}
{% macro annotations_key(annotations) -%}
    {{ content_key(
        "array_to_string(list_transform("
        ~ annotations ~ ", lambda annotation: coalesce(annotation, chr(27))), chr(28))"
    ) }}
{%- endmacro %}

{#- One row per edit of the annotations of a relation with the columns `keys` and `annotation`; of
    alternative corrections the first. -#}
{% macro edits_of_annotations(relation, keys) -%}
    select
        {{ keys | join(", ") }},
        edit_index,
        fields[1]::integer as start_token,
        fields[2]::integer as end_token,
        fields[3] as error_type,
        split_part(fields[4], chr(28), 1) as correction

    from (
        select
            {{ keys | join(", ") }},
            generate_subscripts(string_split(annotation, chr(30)), 1) - 1 as edit_index,
            string_split(unnest(string_split(annotation, chr(30))), chr(31)) as fields

        from {{ relation }}
        where annotation not in ('', {{ silent_annotation() }})
    ) as split_annotations
{%- endmacro %}

{#- Stands in gold for an annotator who left no line and saw no error: metrics pass over it, or take
    it for an annotation without edits. No annotation is like it. -#}
{% macro silent_annotation() -%}
    chr(26)
{%- endmacro %}
