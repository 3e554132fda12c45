{#- A positive BIGINT of 60 bits from the md5 of a text: the same key for the same content
    everywhere. -#}
{% macro content_key(expression) -%}
    {{ adapter.dispatch('content_key')(expression) }}
{%- endmacro %}

{% macro default__content_key(expression) -%}
    ('0x' || left(md5({{ expression }}), 15))::bigint
{%- endmacro %}

{#- Key of a text that a metric may read. The same text in two languages has two keys, because
    some metrics read only one of them. English texts keep the key that they had before corpora
    had languages, so cached rows stay valid. -#}
{% macro text_key(text, language) -%}
    {{ content_key(
        text ~ " || if(" ~ language ~ " <> 'en', chr(31) || " ~ language ~ ", '')"
    ) }}
{%- endmacro %}

{#- The key of several columns, joined by a character that no corpus file contains. -#}
{% macro natural_key(columns) -%}
    {{ content_key("concat_ws(chr(31), " ~ columns | join(", ") ~ ")") }}
{%- endmacro %}

{#- A number in [0, 1) that depends only on the seed, a purpose and natural keys, not on the order
    of rows, threads or the engine. It has 52 bits, so a double holds it exactly. -#}
{% macro uniform(purpose, columns) -%}
    {{ adapter.dispatch('uniform')(purpose, columns) }}
{%- endmacro %}

{% macro default__uniform(purpose, columns) -%}
    {{ uniform_of_digest("md5(" ~ named_chance(purpose, columns) ~ ")") }}
{%- endmacro %}

{#- The text whose md5 gives the number of `uniform`. -#}
{% macro named_chance(purpose, columns) -%}
    concat_ws(chr(31), '{{ var("seed") }}', '{{ purpose }}', {{ columns | join(", ") }})
{%- endmacro %}

{#- Converts an md5 digest to a number in [0, 1). -#}
{% macro uniform_of_digest(digest) -%}
    (('0x' || left({{ digest }}, 13))::bigint / 4503599627370496.0)
{%- endmacro %}

{#- A text that sorts after all digests whose number is at most the given one, with a small
    margin, so that texts can be compared without converting them to numbers. -#}
{% macro last_digest(number) -%}
    printf('%013xg', least(({{ number }} * 4503599627370496)::bigint + 1000000, 4503599627370495))
{%- endmacro %}
