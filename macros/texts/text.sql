{#- White space as in Python's str.split: Unicode's, and the separators of ASCII. -#}
{% macro collapse_whitespace(expression) -%}
    {{ adapter.dispatch('collapse_whitespace')(expression) }}
{%- endmacro %}

{% macro default__collapse_whitespace(expression) -%}
    regexp_replace(
        {{ expression }},
        '[\s\x{0b}\x{1c}-\x{1f}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]+',
        ' ',
        'g'
    )
{%- endmacro %}

{#- Normalises the white space of a text, as analysis/texts.py does. -#}
{% macro squeezed(expression) -%}
    trim({{ collapse_whitespace(expression) }}, ' ')
{%- endmacro %}

{#- Aggregate: edits as one list for `corrected_text`, in order of span; edits with equal spans in
    `application_order`. `more` names further columns to include. -#}
{% macro listed_edits(edits, application_order, more=[]) -%}
    list_sort(list(struct_pack(
        start_token := {{ edits }}.start_token,
        end_token := {{ edits }}.end_token,
        application_order := {{ application_order }},
        correction := {{ edits }}.correction
        {%- for column in more %},
        {{ column }} := {{ edits }}.{{ column }}
        {%- endfor %}
    )))
{%- endmacro %}

{#- Query for annotation_id and the `listed_edits` of each annotation, with edit_index and
    edit_bit. Equal spans are in file order, or in the order of the chain if the published run
    sampled one. -#}
{% macro annotation_edit_lists(edits, published_orders) %}
    select
        {{ edits }}.annotation_id,
        {{ listed_edits(
            edits,
            "coalesce("
            "list_position(" ~ published_orders ~ ".permutation, " ~ edits ~ ".edit_index), "
            ~ edits ~ ".edit_index)" if var('replication') else edits ~ ".edit_index",
            more=["edit_index", "edit_bit"]
        ) }} as edits

    from {{ edits }}
    {% if var('replication') %}
    left join {{ published_orders }}
        on {{ edits }}.annotation_id = {{ published_orders }}.annotation_id
    {% endif %}
    group by {{ edits }}.annotation_id
{% endmacro %}

{#- A sentence after edits that do not overlap, by the rule of the original code: edits in order
    of span, equal spans in `application_order`; a correction is one piece, even if it is empty;
    runs of white space become one space; nothing is trimmed, so a deletion at an end leaves a
    space.

`edits` is a list from `listed_edits`. All work is within the row, because DuckDB cannot spill
    lists that joins and windows create. -#}
{% macro corrected_text(tokens, edits) -%}
    {{ collapse_whitespace(
        "array_to_string(list_concat("
        "flatten(list_transform(list_zip("
        ~ edits ~ ", "
        "list_concat([0], list_transform(" ~ edits ~ ", lambda edit: edit['end_token'])), true), "
        "lambda pair: list_concat("
        ~ tokens ~ "[pair[2] + 1 : pair[1]['start_token']], [pair[1]['correction']]"
        "))), "
        ~ tokens ~ "[coalesce(list_last(" ~ edits ~ ")['end_token'], 0) + 1 :]), ' ')"
    ) }}
{%- endmacro %}
