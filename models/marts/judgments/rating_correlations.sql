-- Agreement of metrics and chance baselines with ratings.
{%- set family = "judgment_set, task, aspect, level, starts_with(metric, 'chance_')" %}
with

agreements as (

    select
        *,
        {{ p_rank('p_value', family) }} as test_rank

    from {{ ref('rating_agreement') }}

),

tested as (

    select
        * exclude (test_rank),
        {{ q_value('p_value', 'test_rank', family) }} as q_value,
        coalesce(pearson_r, accuracy) as estimate

    from agreements

)

select
    * exclude (estimate),
    -- The interval of the difference of two estimates that are treated as independent (Zou 2007).
    -- They use the same items, so the interval is too wide rather than too narrow.
    q_value <= 0.05
    and estimate - ceiling
    > sqrt(pow(estimate - ci_low, 2) + pow(ceiling_ci_high - ceiling, 2)) as above_ceiling

from tested
