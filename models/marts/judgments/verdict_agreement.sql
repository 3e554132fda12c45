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
    * exclude (test_rank),
    {{ q_value('p_value', 'test_rank', family) }} as q_value

from agreements
