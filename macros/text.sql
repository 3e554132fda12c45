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

{#- The text of every unit after its edits, the rule of the original code: edits in order of
    span, equal spans in `application_order`; a correction is one piece, empty ones included; runs
    of white space become one space; nothing is stripped, so that a deletion at an end leaves a
    space there.

    `units` is a CTE with unit_id and tokens, `applied` one with unit_id, start_token, end_token,
    correction and application_order. Yields unit_id and text. -#}
{% macro corrected_text(units, applied) %}
    select
        {{ units }}.unit_id,
        {{ collapse_whitespace(
            "array_to_string(list_concat("
            "coalesce(flatten(pieces.pieces), []), "
            ~ units ~ ".tokens[coalesce(pieces.last_end, 0) + 1 :]), ' ')"
        ) }} as text

    from {{ units }}
    left join (
        select
            located.unit_id,
            max(located.end_token) as last_end,
            list(
                list_concat(
                    located.tokens[located.previous_end + 1 : located.start_token],
                    [located.correction]
                )
                order by located.place
            ) as pieces

        from (
            select
                {{ applied }}.unit_id,
                {{ applied }}.start_token,
                {{ applied }}.end_token,
                {{ applied }}.correction,
                {{ units }}.tokens,
                row_number() over span_order as place,
                coalesce(lag({{ applied }}.end_token) over span_order, 0) as previous_end

            from {{ applied }}
            inner join {{ units }} on {{ applied }}.unit_id = {{ units }}.unit_id
            window span_order as (
                partition by {{ applied }}.unit_id
                order by
                    {{ applied }}.start_token,
                    {{ applied }}.end_token,
                    {{ applied }}.application_order
            )
        ) as located
        group by located.unit_id
    ) as pieces on {{ units }}.unit_id = pieces.unit_id
{% endmacro %}
