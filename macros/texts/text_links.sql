{#- Two texts are of one sentence where their letters and digits are the same, whatever the case and
    however they are split: what links judged items to sentences. NULL where there is none. -#}
{% macro letters_of(text) -%}
    nullif(lower(regexp_replace({{ text }}, '[^\p{L}\p{M}\p{N}]', '', 'g')), '')
{%- endmacro %}

{#- A text without white space: two that are equal so are letter for letter. -#}
{% macro without_blanks(text) -%}
    regexp_replace({{ text }}, '\s', '', 'g')
{%- endmacro %}
