-- What is published of human judgments, recomputed: expected wins of ranked systems and of pairs,
-- mean ratings, and how metrics follow them.
with

pairs as (

    select
        case
            when starts_with(judgment_set, 'revisit_cgec_') then 'revisit_cgec'
            when judgment_set = 'jfleg_pairs' then 'jfleg'
            else 'sakaguchi16'
        end as paper,
        case
            when starts_with(judgment_set, 'revisit_cgec_') then 'rankings'
            when judgment_set = 'jfleg_pairs' then 'pairs'
            else replace(judgment_set, 'sakaguchi16_', '')
        end as exhibit,
        system_a,
        system_b,
        preference

    from {{ ref('judged_pairs') }}
    where
        judgment_set in (
            'revisit_cgec_mucgec',
            'revisit_cgec_yaclc',
            'jfleg_pairs',
            'sakaguchi16_main',
            'sakaguchi16_ctrl'
        )

),

sides as (

    select
        paper,
        exhibit,
        system_a as system,
        system_b as opponent,
        preference
    from pairs
    union all
    select
        paper,
        exhibit,
        system_b as system,
        system_a as opponent,
        -preference as preference
    from pairs

),

opponents as (

    select
        paper,
        exhibit,
        system,
        opponent,
        coalesce(
            count(*) filter (where preference > 0)
            / nullif(count(*) filter (where preference <> 0), 0),
            0
        ) as share

    from sides
    group by paper, exhibit, system, opponent

),

expected_wins as (

    select
        paper,
        exhibit,
        system,
        -- The order of a sum decides its last digit.
        avg(share order by opponent) as score

    from opponents
    group by paper, exhibit, system

),

ratings as (

    select * from {{ source('raw', 'ratings') }}

)

select
    paper,
    exhibit,
    system as row_label,
    'expected_wins' as column_label,
    score as reproduced
from expected_wins
union all
select
    paper,
    exhibit,
    system as row_label,
    'rank' as column_label,
    (rank() over (partition by paper, exhibit order by score desc))::double as reproduced
from expected_wins
where paper = 'sakaguchi16'
union all
select
    'gmeg' as paper,
    task as exhibit,
    systems as row_label,
    aspect as column_label,
    avg(value) as reproduced
from ratings
where judgment_set = 'gmeg_judgments'
group by task, systems, aspect
union all
select
    'llm_gec_2023' as paper,
    aspect as exhibit,
    systems as row_label,
    judge as column_label,
    avg(value) as reproduced
from ratings
where judgment_set = 'llm_gec_2023_ratings'
group by aspect, systems, judge
union all
select
    'simplicity_da' as paper,
    'asset' as exhibit,
    metric as row_label,
    'pearson_r' as column_label,
    pearson_r as reproduced
from {{ ref('rating_agreement') }}
where
    judgment_set = 'simplicity_da'
    and task = 'simplicity_da'
    and aspect = 'simplicity'
    and level = 'pooled'
    and corpus = 'asset'
    and metric in ('bleu', 'sari')
