{# What is too few for an interval, a test or a rank; NULL where nothing is. As in
   analysis/statistics/resampling.py. #}
{%- macro too_few(kind, n) -%}
    {%- set least = {"systems": 5, "sentences": 20, "pairs": 20} -%}
    if({{ n }} < {{ least[kind] }}, '{{ kind }}', null)
{%- endmacro -%}
