-- How often a metric prefers the output that the judge preferred, under each rule for ties.
{%- set family = "corpus, judgment_set, task, aspect, unit, tie_rule, reference_set, system_set, "
    ~ "starts_with(metric, 'chance_')" %}
with

of_rankings as (

    select
        *,
        judgment_set as task

    from {{ ref('judged_pair_agreement') }}

),

of_preferences as (

    select
        *,
        'all' as system_set

    from {{ ref('preference_agreement') }}

),

agreements as (

    select * from of_rankings
    union all by name
    select * from of_preferences

),

ranked as (

    select
        *,
        {{ p_rank('chance_p_value', family) }} as chance_test_rank

    from agreements

)

select
    * exclude (chance_test_rank),
    {{ has_default_references() }} and unit = 'outputs' and tie_rule = 'ties_half'
    and {{ is_chosen_system_set() }} as is_headline,
    {{ q_value('chance_p_value', 'chance_test_rank', family) }} as chance_q_value

from ranked
