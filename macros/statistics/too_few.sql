{# What there are too few of for an interval, a test or a rank; NULL if there are enough. The
    limits equal those in analysis/statistics/resampling.py. #}
{%- macro too_few(kind, n) -%}
    {%- set least = {"systems": 5, "sentences": 20, "pairs": 20} -%}
    if({{ n }} < {{ least[kind] }}, '{{ kind }}', null)
{%- endmacro -%}
