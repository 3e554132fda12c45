with

references_read as (

    select corpus, reference_set from reference_sets where is_default

),

-- Each question of the human judgments, by the kind of agreement with metrics.
asked as (

    select
        corpus, judgment_set, 'systems' as question, judgment_set as task, null as aspect,
        'systems' as level, reference_set, metric, pearson_r as estimate, pearson_ci_low as ci_low,
        pearson_ci_high as ci_high, ceiling, n_systems as n, too_few
    from human_correlations
    where sentence_set = 'judged' and resampled = 'both' and method = 'trueskill'
    qualify
        system_set = if(
            bool_or(system_set = 'base') over (partition by corpus, judgment_set), 'base', 'all'
        )

    union all

    select
        corpus, judgment_set,
        concat_ws(', ', 'outputs', nullif(task, judgment_set), aspect) as question,
        task, aspect, 'outputs' as level, reference_set, metric, accuracy as estimate, ci_low,
        ci_high, ceiling, n_pairs as n, too_few
    from sentence_agreement
    where tie_rule = 'ties_half' and unit = 'outputs'
    qualify
        system_set = if(
            bool_or(system_set = 'base') over (partition by judgment_set), 'base', 'all'
        )

    union all

    select
        corpus, judgment_set, concat_ws(', ', task, aspect, replace(level, '_', ' ')) as question,
        task, aspect, level, reference_set, metric, coalesce(pearson_r, accuracy) as estimate,
        ci_low, ci_high, ceiling, n, too_few
    from rating_correlations

    union all

    select
        corpus, judgment_set,
        concat_ws(', ', 'edits', nullif(task, judgment_set), corpus) as question,
        task, null as aspect, 'edits' as level, reference_set, metric, auc as estimate, ci_low,
        ci_high, ceiling, n_edits as n, too_few
    from verdict_agreement
    -- Verdicts derived from references cannot evaluate metrics that read these references.
    qualify
        verdict_set = if(
            bool_or(verdict_set = 'without_gold') over (partition by judgment_set, task, corpus),
            'without_gold',
            'all'
        )

),

-- One row per metric: for the corpus's default references, and for the largest of several corpora.
chosen as (

    select asked.*
    from asked
    left join references_read
        on
            asked.corpus = references_read.corpus
            and asked.reference_set = references_read.reference_set
    where
        asked.estimate is not null
        and (
            coalesce(asked.reference_set, 'none') = 'none'
            or references_read.reference_set is not null
        )
    qualify
        row_number() over (
            partition by asked.judgment_set, asked.question, asked.metric
            order by asked.n desc, asked.corpus, asked.reference_set
        ) = 1

),

competing as (

    select * from chosen
    where ci_low is not null and not starts_with(metric, 'chance_')

),

ranks as (

    select
        mine.judgment_set, mine.question, mine.metric,
        1 + count(*) filter (where others.ci_low > mine.ci_high) as rank_low,
        count(*) - count(*) filter (where others.ci_high < mine.ci_low) as rank_high
    from competing as mine
    inner join competing as others
        on mine.judgment_set = others.judgment_set and mine.question = others.question
    group by mine.judgment_set, mine.question, mine.metric

)

select
    -- For ratings, pairs and edits, the corpus only determines the references.
    if(
        chosen.level in ('systems', 'outputs') and chosen.aspect is null, chosen.corpus, null
    ) as corpus,
    chosen.judgment_set, chosen.question, chosen.task, chosen.aspect, chosen.level, chosen.metric,
    chosen.estimate, chosen.ci_low, chosen.ci_high, ranks.rank_low, ranks.rank_high,
    chosen.ceiling, chosen.n, chosen.too_few
from chosen
left join ranks
    on
        chosen.judgment_set = ranks.judgment_set
        and chosen.question = ranks.question
        and chosen.metric = ranks.metric
order by
    chosen.judgment_set, chosen.question, starts_with(chosen.metric, 'chance_'),
    chosen.estimate desc, chosen.metric
