{#- White space as Python's str.split sees it: Unicode's, and the separators of ASCII. -#}
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

{#- A text as everything reads it: the same as in analysis/white_space.py. -#}
{% macro squeezed(expression) -%}
    trim({{ collapse_whitespace(expression) }}, ' ')
{%- endmacro %}

{#- An aggregate: edits as one sorted list, the argument of `corrected_text`. In order of span,
    equal spans in `application_order`. `more` names columns of the edits to keep beside these. -#}
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

{#- A query that yields annotation_id and the `listed_edits` of each annotation, with edit_index and
    edit_bit: equal spans in file order, and in the order of the chain where the published run drew
    one. -#}
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

{#- A sentence after edits that do not overlap, the rule of the original code: edits in order of
    span, equal spans in `application_order`; a correction is one piece, empty ones included; runs
    of white space become one space; nothing is stripped, so that a deletion at an end leaves a
    space there.

    `edits` is a list of `listed_edits`: all within the row, since lists made by joins and windows
    are what DuckDB cannot spill. -#}
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
