-- How metrics and chance follow ratings.
{%- set family = "judgment_set, task, aspect, level, starts_with(metric, 'chance_')" %}
with

agreements as (

    select
        *,
        {{ p_rank('p_value', family) }} as test_rank

    from {{ ref('rating_agreement') }}

)

select
    * exclude (test_rank),
    {{ q_value('p_value', 'test_rank', family) }} as q_value,
    coalesce(pearson_r, accuracy) > ceiling as above_ceiling

from agreements
