{#- A positive BIGINT of 60 bits from the md5 of a text: names content wherever it occurs. -#}
{% macro content_key(expression) -%}
    {{ adapter.dispatch('content_key')(expression) }}
{%- endmacro %}

{% macro default__content_key(expression) -%}
    ('0x' || left(md5({{ expression }}), 15))::bigint
{%- endmacro %}

{#- Names a text that a metric may read. Equal texts of two languages are two, because not every
    metric reads both; English ones are named as they were before corpora had languages, so that
    what caches hold is found. -#}
{% macro text_key(text, language) -%}
    {{ content_key(
        text ~ " || if(" ~ language ~ " <> 'en', chr(31) || " ~ language ~ ", '')"
    ) }}
{%- endmacro %}

{#- The same for several columns, joined by a character that no corpus file contains. -#}
{% macro natural_key(columns) -%}
    {{ content_key("concat_ws(chr(31), " ~ columns | join(", ") ~ ")") }}
{%- endmacro %}

{#- A number in [0, 1) that depends on the seed, a purpose and natural keys alone: never on the
    order of rows, on threads or on the engine. 52 bits, so that a double holds it exactly. -#}
{% macro uniform(purpose, columns) -%}
    {{ adapter.dispatch('uniform')(purpose, columns) }}
{%- endmacro %}

{% macro default__uniform(purpose, columns) -%}
    {{ uniform_of_digest("md5(" ~ named_chance(purpose, columns) ~ ")") }}
{%- endmacro %}

{#- The text whose md5 is behind that number. -#}
{% macro named_chance(purpose, columns) -%}
    concat_ws(chr(31), '{{ var("seed") }}', '{{ purpose }}', {{ columns | join(", ") }})
{%- endmacro %}

{#- That number of a digest. -#}
{% macro uniform_of_digest(digest) -%}
    (('0x' || left({{ digest }}, 13))::bigint / 4503599627370496.0)
{%- endmacro %}

{#- A text that sorts after all digests whose number is at most this one, and some more that lie
    next to them: texts are compared before numbers are made of them. -#}
{% macro last_digest(number) -%}
    printf('%013xg', least(({{ number }} * 4503599627370496)::bigint + 1000000, 4503599627370495))
{%- endmacro %}
