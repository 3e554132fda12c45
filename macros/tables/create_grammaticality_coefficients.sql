{#- The table that `maege train grammaticality` fills (maege/train.py). A build
    needs it even if it is empty. -#}
{% macro create_grammaticality_coefficients() -%}
    create table if not exists raw.grammaticality_coefficients (
        feature varchar not null,
        coefficient double not null
    )
{%- endmacro %}
