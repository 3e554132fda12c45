-- Does a metric tell a valid edit from the same edit applied wrongly? Original as the source.
with

outcomes as (

    select
        corpus,
        mode,
        metric,
        stratum as error_type,
        count(*) as n_sentences,
        sum(n_pairs)::bigint as n_pairs,
        sum(n_concordant)::bigint as n_concordant,
        sum(n_discordant)::bigint as n_discordant,
        sum(n_tied)::bigint as n_tied,
        sum(valid_changes_more)::bigint as valid_changes_more,
        sum(corrupted_changes_more)::bigint as corrupted_changes_more

    from {{ ref('outcome_counts') }}
    where question = 'corrupted_edits'
    group by all

),

corrupted as (

    select distinct step_id from {{ ref('corrupted_nodes') }}

),

-- Every step under its type and under all types.
typed_steps as (

    select
        step_id,
        corpus,
        mode,
        unnest([error_type, null]) as error_type

    from {{ ref('corrupted_steps') }}

),

steps as (

    select
        typed_steps.corpus,
        typed_steps.mode,
        typed_steps.error_type,
        count(*) as n_steps,
        count(*) filter (where corrupted.step_id is null) as n_without_corrupted

    from typed_steps
    left join corrupted on typed_steps.step_id = corrupted.step_id
    group by all

),

metrics as (

    select distinct
        metric,
        languages,
        trained_on
    from {{ ref('metric_registry') }}
    where is_selected and not reads_other

    union all

    select distinct
        scored.metric,
        null as languages,
        null as trained_on
    from {{ ref('outcome_counts') }} as scored
    anti join {{ ref('metric_registry') }} as known on scored.metric = known.metric
    where scored.question = 'corrupted_edits'

),

estimates as (

    select * from {{ ref('agreement_estimates') }}
    where pairs = 'corrupted_edits'

)

select
    steps.corpus,
    steps.mode,
    metrics.metric,
    steps.error_type,
    steps.n_steps,
    steps.n_without_corrupted,
    coalesce(outcomes.n_pairs, 0) as n_pairs,
    coalesce(outcomes.n_sentences, 0) as n_sentences,
    coalesce(outcomes.n_concordant, 0) as n_concordant,
    coalesce(outcomes.n_discordant, 0) as n_discordant,
    coalesce(outcomes.n_tied, 0) as n_tied,
    estimates.too_few,
    (outcomes.n_concordant + outcomes.n_tied / 2) / outcomes.n_pairs as agreement,
    estimates.ci_low,
    estimates.ci_high,
    estimates.chance_p_value,
    estimates.chance_q_value,
    estimates.n_resamples,
    outcomes.n_concordant / outcomes.n_pairs as strict_agreement,
    0.5
    + (outcomes.valid_changes_more - outcomes.corrupted_changes_more) / (2 * outcomes.n_pairs)
        as change_agreement,
    {{ lattice_origin('lattices_from', 'steps') }},
    {{ lattice_origin('references_mode', 'steps') }}

from steps
inner join {{ source('raw', 'corpora') }} as corpora on steps.corpus = corpora.corpus
inner join metrics
    on
        {{ reads_corpus('metrics', 'corpora') }}
        and {{ is_scored_mode('metrics.metric', 'steps.mode') }}
left join outcomes
    on
        steps.corpus = outcomes.corpus
        and steps.mode = outcomes.mode
        and metrics.metric = outcomes.metric
        and steps.error_type is not distinct from outcomes.error_type
left join estimates
    on
        steps.corpus = estimates.corpus
        and steps.mode = estimates.mode
        and metrics.metric = estimates.metric
        and steps.error_type is not distinct from estimates.error_type
