{#- The table that `maege metric load` fills (maege/metric/scores.py). A build needs it even if it is
    empty. -#}
{% macro create_metric_scores() -%}
    create table if not exists raw.metric_scores (
        metric varchar not null,
        request_id varchar not null,
        score double not null,
        path varchar not null,
        line bigint not null
    )
{%- endmacro %}
