-- Does a metric tell a valid edit from the same edit applied wrongly? Original as the source.
with

outcomes as (

    select
        corpus,
        mode,
        metric,
        error_type,
        count(*) as n_sentences,
        sum(n_pairs)::bigint as n_pairs,
        sum(valid_wins)::bigint as valid_wins,
        sum(invalid_wins)::bigint as invalid_wins,
        sum(ties)::bigint as ties,
        sum(valid_changes_more)::bigint as valid_changes_more,
        sum(invalid_changes_more)::bigint as invalid_changes_more

    from {{ ref('sentence_invalid_agreement') }}
    group by all

),

twins as (

    select distinct step_id from {{ ref('invalid_nodes') }}

),

-- Every step under its type and under all types.
typed_steps as (

    select
        step_id,
        corpus,
        mode,
        unnest([error_type, null]) as error_type

    from {{ ref('invalid_steps') }}

),

steps as (

    select
        typed_steps.corpus,
        typed_steps.mode,
        typed_steps.error_type,
        count(*) as n_steps,
        count(*) filter (where twins.step_id is null) as n_without_twin

    from typed_steps
    left join twins on typed_steps.step_id = twins.step_id
    group by all

),

metrics as (

    select distinct
        metric,
        languages
    from {{ ref('metric_registry') }}
    where is_selected

    union all

    select distinct
        scored.metric,
        null as languages
    from {{ ref('sentence_invalid_agreement') }} as scored
    anti join {{ ref('metric_registry') }} as known on scored.metric = known.metric

),

intervals as (

    select * from {{ ref('invalid_agreement_intervals') }}

)

select
    steps.corpus,
    steps.mode,
    metrics.metric,
    steps.error_type,
    steps.n_steps,
    steps.n_without_twin,
    coalesce(outcomes.n_pairs, 0) as n_pairs,
    coalesce(outcomes.n_sentences, 0) as n_sentences,
    coalesce(outcomes.valid_wins, 0) as valid_wins,
    coalesce(outcomes.invalid_wins, 0) as invalid_wins,
    coalesce(outcomes.ties, 0) as ties,
    (outcomes.valid_wins + outcomes.ties / 2) / outcomes.n_pairs as agreement,
    {{ defined('intervals.ci_low') }} as ci_low,
    {{ defined('intervals.ci_high') }} as ci_high,
    outcomes.valid_wins / outcomes.n_pairs as strict_agreement,
    0.5
    + (outcomes.valid_changes_more - outcomes.invalid_changes_more) / (2 * outcomes.n_pairs)
        as change_agreement,
    {{ lattices_from('steps') }}

from steps
inner join {{ ref('stg_corpus__corpora') }} as corpora on steps.corpus = corpora.corpus
inner join metrics on {{ reads_language('metrics.languages', 'corpora.language') }}
left join outcomes
    on
        steps.corpus = outcomes.corpus
        and steps.mode = outcomes.mode
        and metrics.metric = outcomes.metric
        and steps.error_type is not distinct from outcomes.error_type
left join intervals
    on
        steps.corpus = intervals.corpus
        and steps.mode = intervals.mode
        and metrics.metric = intervals.metric
        and steps.error_type is not distinct from intervals.error_type
