-- Does a metric score a valid edit above the same edit applied wrongly? The metric reads the
-- original as the source. Metrics and error types without pairs have rows, too.
with

corrupted as (

    select distinct step_id from {{ ref('corrupted_nodes') }}

),

-- Every step under its type and under all types.
typed_steps as (

    select
        step_id,
        corpus,
        unnest([error_type, null]) as error_type

    from {{ ref('corrupted_steps') }}

),

steps as (

    select
        typed_steps.corpus,
        typed_steps.error_type,
        count(*) as n_steps,
        count(*) filter (where corrupted.step_id is null) as n_without_corrupted

    from typed_steps
    left join corrupted using (step_id)
    group by all

),

agreement as (

    select * from {{ ref('pair_agreement') }}
    where question = 'corrupted_edits'

),

metrics as (

    select distinct
        metric,
        languages
    from {{ ref('metric_registry') }}
    where is_selected and not reads_other

    union all

    select distinct
        agreement.metric,
        null as languages
    from agreement
    anti join {{ ref('metric_registry') }} using (metric)

)

select
    steps.corpus,
    metrics.metric,
    steps.error_type,
    steps.error_type is null as is_headline,
    steps.n_steps,
    steps.n_without_corrupted,
    coalesce(agreement.n_pairs, 0) as n_pairs,
    coalesce(agreement.n_sentences, 0) as n_sentences,
    coalesce(agreement.n_concordant, 0) as n_concordant,
    coalesce(agreement.n_discordant, 0) as n_discordant,
    coalesce(agreement.n_tied, 0) as n_tied,
    agreement.too_few,
    agreement.pairwise_accuracy as agreement,
    agreement.ci_low,
    agreement.ci_high,
    agreement.p_value as chance_p_value,
    agreement.q_value as chance_q_value,
    agreement.n_resamples,
    agreement.strict_accuracy as strict_agreement,
    agreement.change_agreement

from steps
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
inner join metrics
    on
        {{ reads_language('metrics.languages', 'corpora.language') }}
left join agreement
    on
        steps.corpus = agreement.corpus
        and metrics.metric = agreement.metric
        and steps.error_type is not distinct from agreement.stratum
