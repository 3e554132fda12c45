-- Whether metrics and chance tell approved edits from rejected ones.
{%- set family = "judgment_set, task, corpus, verdict_set, starts_with(metric, 'chance_')" %}
with

agreements as (

    select
        *,
        {{ p_rank('p_value', family) }} as test_rank

    from {{ ref('edit_verdict_agreement') }}

)

select
    judgment_set,
    task,
    corpus,
    verdict_set,
    reference_set,
    metric,
    n_edits,
    n_sources,
    n_valid,
    n_optional,
    n_invalid,
    valid_up,
    valid_tied,
    valid_down,
    invalid_up,
    invalid_tied,
    invalid_down,
    auc,
    ci_low,
    ci_high,
    p_value,
    {{ q_value('p_value', 'test_rank', family) }} as q_value,
    severity_r,
    severity_rho,
    ceiling,
    too_few

from agreements
