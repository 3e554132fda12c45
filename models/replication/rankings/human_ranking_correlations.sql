-- Metrics' agreement with judges, as GJG15, SEEDA, Chollampatt and Ng (2018) and the GLEU paper
-- print it or as their released data gives it.
with

released as (

    select * from {{ ref('released_human_scores') }}

),

recomputed as (

    select * from {{ ref('human_metric_correlations') }}
    -- All three have the same coefficients.
    where resampled = 'judgments'

),

scored as (

    select
        judgment_set,
        method,
        reference_set,
        sentence_set,
        system_set,
        metric,
        unnest(systems) as system,
        unnest(scores) as score

    from recomputed
    where judgment_set in ('gjg15', 'seeda_edit', 'seeda_sent')

),

with_released as (

    select
        scored.judgment_set,
        scored.method,
        scored.reference_set,
        scored.sentence_set,
        scored.system_set,
        scored.metric,
        {{ defined('corr(released.human_score, scored.score order by scored.system)') }} as r

    from scored
    inner join released using (judgment_set, method, system)
    group by all

),

correlations as (

    unpivot (
        select
            recomputed.judgment_set,
            recomputed.method,
            recomputed.reference_set,
            recomputed.sentence_set,
            recomputed.system_set,
            recomputed.metric,
            coalesce(with_released.r, recomputed.pearson_r) as r,
            recomputed.spearman_rho as rho,
            recomputed.trueskill_spearman_rho as trueskill_rho

        from recomputed
        left join with_released
            using (judgment_set, method, reference_set, sentence_set, system_set, metric)
    )
    on r, rho, trueskill_rho
    into name coefficient value reproduced

),

labelled as (

    select
        *,
        if(method = 'expected_wins', 'ew', 'ts') as method_label,
        replace(judgment_set, 'seeda_', '') as level,
        regexp_extract(system_set, 'base(_window_[0-9]+_[0-9]+)?', 1) as window_label

    from correlations
    where starts_with(system_set, 'base')

),

-- What each exhibit calls a metric, on which references and sentences.
exhibits as (

    select listed.*
    from (
        values
        ('seeda', 'length_metric', 'length', 'chance_length', 'nucle', 'judged'),
        ('gjg15', 'length_metric', 'length', 'chance_length', 'nucle', 'all'),
        ('seeda', 'metric_correlations', 'm2', 'm2', 'nucle', 'all'),
        ('seeda', 'metric_correlations', 'errant', 'errant', 'nucle', 'all'),
        ('seeda', 'metric_correlations', 'gleu', 'gleu_equation', 'nucle_m2', 'all'),
        ('gjg15', 'table_5', 'm2_f0.5', 'm2', 'nucle', 'all'),
        ('gjg15', 'table_5', 'i_wacc', 'imeasure', 'nucle', 'all'),
        ('gjg15', 'table_5', 'bleu', 'bleu', 'nucle', 'all'),
        ('chollampatt18', 'systems', 'gleu', 'gleu', 'nucle', 'all'),
        ('chollampatt18', 'systems', 'imeasure', 'imeasure', 'nucle', 'all'),
        ('chollampatt18', 'systems', 'm2', 'm2', 'nucle', 'all')
    ) as listed (paper, exhibit, row_label, metric, reference_set, sentence_set)

),

of_systems as (

    select
        exhibits.paper,
        exhibits.exhibit,
        exhibits.row_label,
        concat_ws(
            '_',
            labelled.method_label,
            if(exhibits.paper = 'seeda', labelled.level, null),
            nullif(ltrim(labelled.window_label, '_'), ''),
            labelled.coefficient
        ) as column_label,
        labelled.reproduced

    from exhibits
    inner join labelled
        on
            exhibits.metric = labelled.metric
            and exhibits.reference_set = labelled.reference_set
            and exhibits.sentence_set = labelled.sentence_set
            and if(
                exhibits.paper = 'seeda',
                starts_with(labelled.judgment_set, 'seeda_'),
                exhibits.paper = labelled.judgment_set
            )

),

-- The human scores behind the paper were not released: TrueSkill of the released judgments.
of_released_judgments as (

    select
        'gleu' as paper,
        'correlations' as exhibit,
        case metric
            when 'gleu' then 'gleu_plus'
            when 'imeasure' then 'i_measure'
            else metric
        end as row_label,
        coefficient as column_label,
        reproduced

    from labelled
    where
        judgment_set = 'nspt15'
        and method_label = 'ts'
        and system_set = 'base'
        and reference_set = 'nucle'
        and sentence_set = 'all'
        and metric in ('gleu', 'm2', 'imeasure', 'bleu')
        -- Of these the paper prints the rankings, from which rho follows: gleu_printed_ranking.
        and not (coefficient = 'rho' and metric in ('gleu', 'm2'))

),

of_outlying_systems as (

    select
        'seeda' as paper,
        'metric_correlations' as exhibit,
        metric as row_label,
        'ts_sent_with_fluent_r' as column_label,
        reproduced

    from correlations
    where
        judgment_set = 'seeda_sent'
        and method = 'trueskill'
        and system_set = 'with_fluent'
        and reference_set = 'nucle'
        and sentence_set = 'all'
        and metric = 'errant'
        and coefficient = 'r'

),

agreements as (

    select
        judgment_set,
        reference_set,
        metric,
        accuracy,
        n_pairs::double as pairs

    from {{ ref('judged_pair_agreement') }}
    where
        unit = 'systems'
        and tie_rule = 'ties_by_name'
        and system_set = 'base'
        and starts_with(judgment_set, 'seeda_')

),

long_agreements as (

    unpivot agreements on accuracy, pairs into name what value reproduced

),

of_sentences as (

    select
        'seeda' as paper,
        if(metric = 'chance_length', 'length_metric', 'gleu_judged_sentences') as exhibit,
        if(metric = 'chance_length', 'length', 'gleu_unclipped') as row_label,
        'sentence_' || replace(judgment_set, 'seeda_', '') || '_' || what as column_label,
        reproduced

    from long_agreements
    where
        metric = 'chance_length'
        or (metric = 'gleu_equation' and reference_set = 'nucle_m2' and what = 'accuracy')

),

-- Pairs that a metric ties count, for neither side.
of_scores_made_elsewhere as (

    select
        'chollampatt18' as paper,
        'sentences' as exhibit,
        replace(metric, 'chollampatt18_', '') as row_label,
        'tau_' || unit as column_label,
        kendall as reproduced

    from {{ ref('judged_pair_agreement') }}
    where
        judgment_set = 'chollampatt18'
        and tie_rule = 'ties_half'
        and system_set = 'base'
        and starts_with(metric, 'chollampatt18_')

),

-- What later papers print of SEEDA. Where no rule for ties is known it is that of SEEDA's scripts.
on_seeda as (

    select
        *,
        {{ seeda_column_label() }} as column_label

    from {{ ref('seeda_published') }}

),

systems_on_seeda as (

    select
        on_seeda.paper,
        'seeda_systems' as exhibit,
        on_seeda.metric as row_label,
        on_seeda.column_label,
        correlations.reproduced

    from on_seeda
    inner join correlations
        on
            on_seeda.measured_as = correlations.metric
            and on_seeda.judgment_set = correlations.judgment_set
            and on_seeda.system_set = correlations.system_set
            and replace(on_seeda.aggregation || '_', 'metric_', '') || on_seeda.statistic
            = correlations.coefficient
    where
        on_seeda.level = 'systems'
        and on_seeda.sentences = 'judged'
        and correlations.method = 'trueskill'
        and correlations.reference_set = 'nucle_m2'
        and correlations.sentence_set = 'judged'

),

sentences_on_seeda as (

    select
        on_seeda.paper,
        'seeda_sentences' as exhibit,
        on_seeda.metric as row_label,
        on_seeda.column_label,
        if(on_seeda.statistic = 'tau', pairs.kendall, pairs.accuracy) as reproduced

    from on_seeda
    inner join {{ ref('judged_pair_agreement') }} as pairs
        on
            on_seeda.measured_as = pairs.metric
            and on_seeda.judgment_set = pairs.judgment_set
            and on_seeda.system_set = pairs.system_set
            and coalesce(on_seeda.tie_rule, 'ties_by_name') = pairs.tie_rule
    where
        on_seeda.level = 'sentences'
        and on_seeda.sentences = 'judged'
        and pairs.unit = 'systems'
        and pairs.reference_set = 'nucle_m2'

)

select * from of_systems
union all
select * from of_released_judgments
union all
select * from of_outlying_systems
union all
select * from of_sentences
union all
select * from of_scores_made_elsewhere
union all
select * from systems_on_seeda
union all
select * from sentences_on_seeda
