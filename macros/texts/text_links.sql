{#- Two texts are the same sentence if their letters and digits are equal, regardless of case and
    tokenisation. Judged items are linked to sentences by this text. NULL without letters and
    digits. -#}
{% macro letters_of(text) -%}
    nullif(lower(regexp_replace({{ text }}, '[^\p{L}\p{M}\p{N}]', '', 'g')), '')
{%- endmacro %}

{#- A text without white space, for comparisons that ignore it. -#}
{% macro without_blanks(text) -%}
    regexp_replace({{ text }}, '\s', '', 'g')
{%- endmacro %}
