{#- dbt puts this text at the end of each Python model. It gives the model the values of `meta` in its
    YAML as `dbt.settings`, and the columns and types of its contract, for `contract_schema` in
    analysis/stored/rows.py. The filter `tojson` would sort the columns. -#}
{% macro py_script_comment() -%}
from types import SimpleNamespace
dbtObj.settings = SimpleNamespace(**{{ model.config.meta }})
    {%- set types = {} -%}
    {%- for column in model.columns.values() if column.data_type -%}
        {%- do types.update({column.name: column.data_type}) -%}
    {%- endfor -%}
    {%- if types %}
dbtObj.contract = {{ tojson(types) }}{% endif -%}
{%- endmacro %}
