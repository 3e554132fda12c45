{#- The content that a family of statistics reads from a pair; 0 for a part that it does not read.
    It is the key of the cache of statistics. -#}
{% macro source_key(families='families', inputs='inputs') -%}
    if({{ families }}.reads_source, {{ inputs }}.source_text_id, 0)
{%- endmacro %}

{% macro hypothesis_key(families='families', inputs='inputs') -%}
    case
        when {{ families }}.reads_edits then {{ inputs }}.edits_key
        when {{ families }}.reads_hypothesis then {{ inputs }}.hypothesis_text_id
        else 0
    end
{%- endmacro %}

{% macro references_key(families='families', inputs='inputs') -%}
    case
        when {{ families }}.reads_outputs then {{ inputs }}.weighed_gold_key
        when {{ families }}.reads_types then {{ inputs }}.typed_gold_key
        when {{ families }}.reads_gold then {{ inputs }}.gold_key
        when {{ families }}.reads_references then {{ inputs }}.references_key
        else 0
    end
{%- endmacro %}

{#- The kind of names (reference_names.kind) that the positions of a family have. -#}
{% macro reference_kind(families='families') -%}
    case
        when {{ families }}.reads_types then 'typed_gold'
        when {{ families }}.reads_gold then 'gold'
        else 'texts'
    end
{%- endmacro %}

{#- The cache key as one name, for files: it depends only on the content of the inputs. -#}
{% macro request_id(requests) -%}
    left(md5(concat_ws(
        '/',
        {{ requests }}.source_text_id,
        {{ requests }}.hypothesis_text_id,
        {{ requests }}.references_key
    )), 16)
{%- endmacro %}
