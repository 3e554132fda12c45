-- Printed numbers that no single table has: one row per paper, exhibit, row and column.
with

-- Ranks of systems in the GLEU paper: as printed, and recomputed with TrueSkill and the metrics on
-- both official annotators.
human_ranks as (

    select
        system,
        'human' as metric,
        rank() over (order by score desc) as rank

    from {{ ref('human_score_samples') }}
    where judgment_set = 'nspt15' and system_set = 'base' and method = 'trueskill'

),

recomputed_ranks as (

    select * from human_ranks
    union all
    select
        scores.system,
        if(scores.metric = 'gleu', 'gleu_plus', scores.metric) as metric,
        rank() over (partition by scores.metric order by scores.corpus_score desc) as rank

    from {{ ref('system_scores') }} as scores
    semi join human_ranks using (system)
    where
        scores.corpus = 'conll14'
        and scores.reference_set = 'nucle'
        and scores.metric in ('gleu', 'm2')

),

ranks as (

    select
        'reproduced' as origin,
        row_label as system,
        column_label as metric,
        published::double as rank

    from {{ ref('published') }}
    where paper = 'gleu' and exhibit = 'ranking'
    union all
    select
        'corrected' as origin,
        system,
        metric,
        rank::double as rank

    from recomputed_ranks

),

rank_sums as (

    select
        ranks.origin,
        ranks.metric,
        count(*) as n,
        sum(ranks.rank) as x,
        sum(human.rank) as y,
        sum(ranks.rank * human.rank) as xy,
        sum(ranks.rank * ranks.rank) as xx,
        sum(human.rank * human.rank) as yy,
        avg(abs(ranks.rank - human.rank)) as mean_rank_difference

    from ranks
    inner join ranks as human using (origin, system)
    where human.metric = 'human' and ranks.metric <> 'human'
    group by ranks.origin, ranks.metric

),

rank_agreements as (

    unpivot (
        select
            origin,
            metric,
            -- Sums of ranks are exact in any order of rows, unlike corr().
            (n * xy - x * y) / nullif(sqrt((n * xx - x * x) * (n * yy - y * y)), 0) as rho,
            mean_rank_difference
        from rank_sums
    )
    on rho, mean_rank_difference into name column_label value agreement

),

-- Wins of a system against each opponent, pooled over the two test sets of the paper.
pooled_pairs as (

    select
        system_a as system,
        system_b as opponent,
        preference
    from {{ ref('judged_pairs') }}
    where judgment_set in ('revisit_cgec_mucgec', 'revisit_cgec_yaclc')
    union all
    select
        system_b as system,
        system_a as opponent,
        -preference as preference
    from {{ ref('judged_pairs') }}
    where judgment_set in ('revisit_cgec_mucgec', 'revisit_cgec_yaclc')

),

wins as (

    select
        system,
        opponent,
        coalesce(
            count(*) filter (where preference > 0)
            / nullif(count(*) filter (where preference <> 0), 0),
            0
        ) as share

    from pooled_pairs
    group by all

),

edits as (

    select
        coalesce(
            start_token < lag(end_token) over (
                partition by annotator, sentence_id order by start_token, end_token, edit_index
            ),
            false
        ) as overlaps_previous

    from {{ ref('annotated_edits') }}
    where corpus = 'conll14' and annotation_set = 'bn10' and kind <> 'none'

),

model_variances as (

    select
        expected_edits,
        sum(n_edits ^ 2 * probability) - sum(n_edits * probability) ^ 2 as variance,
        (expected_edits - 0.9) / expected_edits as published_probability

    from {{ ref('corpus_model_edit_counts') }}
    where expected_edits > 0
    group by expected_edits

),

perfect_scores as (

    select
        max(score) filter (where corpus = 'lcb_perfect_2') as reproduced,
        max(score) filter (where corpus = 'lcb_gec' and corrector = 'perfect') as corrected

    from {{ ref('perfect_corrector_scores') }}
    where metric = 'm2' and n_references = 2

)

select
    'gleu' as paper,
    'ranking' as exhibit,
    system as row_label,
    metric as column_label,
    rank::double as reproduced,
    null::double as corrected
from recomputed_ranks
union all
select
    'gleu' as paper,
    if(column_label = 'rho', 'correlations', 'text') as exhibit,
    metric as row_label,
    column_label,
    max(agreement) filter (where origin = 'reproduced') as reproduced,
    max(agreement) filter (where origin = 'corrected') as corrected
from rank_agreements
group by all
union all
select
    'revisit_cgec' as paper,
    'rankings' as exhibit,
    system as row_label,
    'expected_wins' as column_label,
    -- The order of a sum decides its last digit.
    avg(share order by opponent) as reproduced,
    null as corrected
from wins
group by system
union all
select
    'maege' as paper,
    'text' as exhibit,
    'overlapping_edit_cases' as row_label,
    'count' as column_label,
    count(*) as reproduced,
    count(*) as corrected
from edits
where overlaps_previous
having count(*) > 0
union all
-- The run cut the binomial's n to a whole number, so its ten variances average less than 0.9.
select
    'maege' as paper,
    'text' as exhibit,
    'edit_count_variance' as row_label,
    'value' as column_label,
    round(
        avg(
            floor(expected_edits / published_probability)
            * published_probability
            * (0.9 / expected_edits)
        ),
        12
    ) as reproduced,
    round(avg(variance), 12) as corrected
from model_variances
where 'conll14' in (select corpora.corpus from {{ source('raw', 'lattices') }} as corpora)
having count(*) > 0
union all
select
    'lcb' as paper,
    'text' as exhibit,
    'systems_above_m2_m_2' as row_label,
    'perfect' as column_label,
    sum((systems.corpus_score > perfect_scores.reproduced)::integer) as reproduced,
    sum((systems.corpus_score > perfect_scores.corrected)::integer) as corrected
from {{ ref('system_scores') }} as systems
cross join perfect_scores
where
    systems.corpus = 'conll14' and systems.reference_set = 'nucle' and systems.metric = 'm2'
