{#- Annotations as text, in the format of analysis/edits.py. -#}
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

{#- Key of a list of annotations. chr(27) stands for NULL, an annotator without a line. No
    annotation equals it; two systems that changed nothing give chr(29). -#}
{% macro annotations_key(annotations) -%}
    {{ content_key(
        "array_to_string(list_transform("
        ~ annotations ~ ", lambda annotation: coalesce(annotation, chr(27))), chr(28))"
    ) }}
{%- endmacro %}

{#- One row per edit of the annotations of a relation with the columns `keys` and `annotation`. Of
    alternative corrections it has the first. -#}
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

{#- Value in the gold for an annotator who has no line because the sentence has no error: metrics
    ignore it, or read it as an annotation without edits. It differs from every annotation. -#}
{% macro silent_annotation() -%}
    chr(26)
{%- endmacro %}
