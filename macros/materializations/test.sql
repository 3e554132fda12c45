{#- In `dbt build`, a test that passed is not run again while its own code, the Python code of analysis/
    and all that it reads are the same. `dbt test` and `--full-refresh` run every test. -#}
{% materialization test, adapter="duckdb" %}
    {%- set limits = [config.get("fail_calc"), config.get("warn_if"), config.get("error_if"), config.get("limit")] -%}
    {%- set inputs = input_fingerprints(model.depends_on.nodes, through_views=true) -%}
    {%- if should_store_failures() or not has_passed([sql] + limits + inputs) -%}
        {{ return(materialization_test_default()) }}
    {%- endif -%}
    {% call statement("main", fetch_result=True) -%}
        select 0 as failures, false as should_warn, false as should_error
    {%- endcall %}
    {{ return({"relations": []}) }}
{% endmaterialization %}

{#- Whether this test passed when all of these texts were the same; they are kept for the next build. -#}
{% macro has_passed(texts) -%}
    {%- set fingerprint = "md5('" ~ local_md5(texts | join("\n")) ~ "' || (select code from ops.analysis_code))" -%}
    {%- set passed = run_query(
        "select 1 from ops.test_fingerprints as known inner join ops.node_results as ended "
        ~ "on known.node = ended.node and known.invocation_id = ended.invocation_id "
        ~ "where known.node = '" ~ model.unique_id ~ "' and ended.status = 'pass' "
        ~ "and known.fingerprint = " ~ fingerprint
    ) -%}
    {%- do run_query(
        "insert into ops.test_fingerprints select '" ~ model.unique_id ~ "', " ~ fingerprint
        ~ ", '" ~ invocation_id ~ "'"
    ) -%}
    {{ return(flags.WHICH == "build" and not flags.FULL_REFRESH and passed.rows | length > 0) }}
{%- endmacro %}
