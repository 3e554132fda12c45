-- Scores that judges gave systems, and their agreement, as GJG15, SEEDA and the GLEU paper print
-- them.
with

scores as (

    select * from {{ ref('human_score_samples') }}

),

gjg15 as (

    unpivot (
        select
            if(method = 'expected_wins', 'table_3b', 'table_3c') as exhibit,
            system as row_label,
            if(method = 'expected_wins', score, null) as expected_wins,
            if(method = 'trueskill', score, null) as trueskill,
            if(method = 'expected_wins', published_rank_low, null)::double as rank_low,
            if(method = 'expected_wins', published_rank_high, null)::double as rank_high

        from scores
        where judgment_set = 'gjg15' and system_set = 'base'
    )
    on expected_wins, trueskill, rank_low, rank_high
    into name column_label value reproduced

),

seeda as (

    select
        'scores' as exhibit,
        system as row_label,
        if(method = 'expected_wins', 'ew_', 'ts_') || replace(judgment_set, 'seeda_', '')
            as column_label,
        score as reproduced

    from scores
    where judgment_set in ('seeda_edit', 'seeda_sent') and system_set = 'all'

),

nspt15 as (

    select
        system,
        score,
        rank() over (order by score desc) as place

    from scores
    where judgment_set = 'nspt15' and system_set = 'base' and method = 'trueskill'

),

-- The paper ranks by the released metrics' programs, on both official annotators.
metric_ranks as (

    select
        system_scores.system,
        case system_scores.metric
            when 'gleu' then 'gleu_plus'
            else system_scores.metric
        end as column_label,
        rank() over (
            partition by system_scores.metric
            order by system_scores.corpus_score desc
        ) as place

    from {{ ref('system_scores') }} as system_scores
    inner join nspt15 using (system)
    where
        system_scores.corpus = 'conll14'
        and system_scores.reference_set = 'nucle'
        and system_scores.metric in ('gleu', 'm2')

),

kappas as (

    select
        kind || '_judge' as row_label,
        kappa as reproduced

    from {{ ref('judge_agreement') }}
    where judgment_set = 'gjg15' and judge_a is null

)

select
    'gjg15' as paper,
    exhibit,
    row_label,
    column_label,
    reproduced
from gjg15
union all
select
    'gjg15' as paper,
    'text' as exhibit,
    row_label,
    'kappa' as column_label,
    reproduced
from kappas
union all
select
    'seeda' as paper,
    exhibit,
    row_label,
    column_label,
    reproduced
from seeda
union all
select
    'gleu' as paper,
    'released_judgments' as exhibit,
    system as row_label,
    'trueskill' as column_label,
    score as reproduced
from nspt15
union all
select
    'gleu' as paper,
    'ranking' as exhibit,
    system as row_label,
    'human' as column_label,
    place as reproduced
from nspt15
union all
select
    'gleu' as paper,
    'ranking' as exhibit,
    system as row_label,
    column_label,
    place as reproduced
from metric_ranks
