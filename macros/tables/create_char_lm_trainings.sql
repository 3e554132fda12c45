{#- The table that `maege train char_lm` fills (maege/train/char_lm.py). A build needs it even if
    it is empty. -#}
{% macro create_char_lm_trainings() -%}
    create table if not exists raw.char_lm_trainings (
        number bigint not null,
        trained_on varchar not null,
        part varchar not null,
        language varchar not null,
        sha256 varchar not null,
        texts varchar[] not null,
        sources varchar[] not null,
        half_sources varchar[]
    );
    -- Older warehouses lack this column.
    alter table raw.char_lm_trainings add column if not exists half_sources varchar[]
{%- endmacro %}
