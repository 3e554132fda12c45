-- Which metrics have scores here, and how to get missing ones: one row per metric, and one per
-- metric and corpus that it cannot score, or scores only in part.
with

-- A family with the statistic `approximated` sets it to 1 if an input is too large for an exact
-- result. It may have one set of statistics per reference.
approximations as (

    select
        families.signature_key,
        count(*) as n_inputs,
        count(*) filter (
            where list_contains(
                list_select(
                    cached.statistics,
                    range(families.position, len(cached.statistics) + 1, families.n_statistics)
                ),
                1
            )
        ) as n_approximated

    from (
        select distinct
            signature_key,
            len(statistics) as n_statistics,
            list_position(statistics, 'approximated') as position
        from {{ ref('metric_registry') }}
        where list_contains(statistics, 'approximated')
    ) as families
    inner join {{ ref('metric_statistics') }} as cached using (signature_key)
    group by families.signature_key

),

metrics as (

    select
        registry.metric,
        any_value(registry.scored_by) as scored_by,
        bool_and(registry.is_selected) as is_selected,
        any_value(registry.sample_sentences) is not null as is_sampled,
        any_value(' for ' || registry.scope) as scope,
        any_value(registry.reason) as message,
        any_value(registry.remedy) as advice,
        sum(approximations.n_inputs) as n_inputs,
        sum(approximations.n_approximated) as n_approximated

    from {{ ref('metric_registry') }} as registry
    left join approximations using (signature_key)
    group by registry.metric

),

requests as (

    select
        metric,
        count(*) as n_requests,
        count(score) as n_scores,
        count(failure) as n_failures,
        count(*) - count(score) - count(failure) as n_open,
        arg_min(failure, request_id) as failure

    from {{ ref('own_requests') }}
    group by metric

),

-- The part of a metric that lacks most scores, among parts that are scored elsewhere.
incomplete_parts as (

    select
        wholes.metric,
        arg_min(wholes.part, requests.n_scores) as part,
        min(requests.n_scores) as n_part_scores,
        any_value(requests.n_requests) as n_part_requests

    from (
        select distinct
            metric,
            unnest(scored_elsewhere) as part
        from {{ ref('metric_registry') }}
    ) as wholes
    inner join requests on wholes.part = requests.metric
    where requests.n_scores < requests.n_requests
    group by wholes.metric

),

-- A metric reads a corpus if one of its families does.
readings as (

    select
        metrics.metric,
        corpora.corpus,
        any_value(metrics.other_languages) as advice,
        corpora.language,
        array_to_string(list_sort(list_distinct(flatten(list(metrics.languages)))), ', ')
            as languages,
        bool_or(metrics.reads_edits) as reads_edits,
        bool_or({{ reads_language('metrics.languages', 'corpora.language') }}) as is_read

    from {{ ref('metric_registry') }} as metrics
    cross join {{ source('raw', 'corpora') }} as corpora
    where metrics.is_selected
    group by metrics.metric, corpora.corpus, corpora.language

),

-- Outputs are compared with a reference set, also for metrics that read no references.
without_references as (

    select distinct corpus from {{ source('raw', 'outputs') }}
    except
    select corpus from {{ source('raw', 'reference_sets') }}

),

-- Metrics that can read no corpus.
unread as (

    select metric from readings
    group by metric
    having not bool_or(is_read)

),

by_metric as (

    select
        metrics.* exclude (message),
        requests.* exclude (metric),
        parts.* exclude (metric),
        unread.metric is null and if(
            metrics.scored_by = 'warehouse',
            metrics.is_selected and coalesce(parts.n_part_scores, 1) > 0,
            coalesce(requests.n_scores, 0) > 0
        ) as is_available,
        coalesce(metrics.message, stopped.reason, requests.failure) as message,
        case
            when unread.metric is not null then 'no_language'
            when not metrics.is_selected
                then if(metrics.message is null, 'not_selected', 'not_runnable')
            when metrics.scored_by = 'warehouse'
                then
                    case
                        when parts.metric is not null then 'part_incomplete'
                        when metrics.n_approximated > 0 then 'approximated'
                        else 'computed'
                    end
            when requests.metric is null then 'nothing_to_score'
            when metrics.scored_by = 'file'
                then
                    if(
                        requests.n_scores = requests.n_requests,
                        'scores_loaded',
                        'scores_incomplete'
                    )
            when requests.n_scores = requests.n_requests then 'computed'
            when metrics.scored_by = 'languagetool'
                then if(requests.n_open > 0, 'languagetool_ended', 'languagetool_failed')
            when stopped.metric is not null then 'stopped'
            when metrics.is_sampled and requests.n_failures = 0 then 'sampled'
            else 'inputs_failed'
        end as reason_code

    from metrics
    left join requests using (metric)
    left join incomplete_parts as parts using (metric)
    left join {{ ref('stopped_metrics') }} as stopped using (metric)
    left join unread using (metric)

),

by_corpus as (

    select
        readings.*,
        case
            when not readings.is_read then 'other_language'
            when without_references.corpus is not null then 'no_reference_set'
            when readings.reads_edits and not extractors.has_types then 'plain_alignment'
        end as reason_code,
        reason_code = 'plain_alignment' as is_available

    from readings
    left join without_references using (corpus)
    left join {{ ref('edit_extractor') }} as extractors using (language)

),

facts as (

    select * from by_metric
    union all by name
    select * from by_corpus
    where reason_code is not null
    union all by name
    select distinct
        metric,
        true as is_available,
        'scores_ingested' as reason_code
    from {{ ref('usable_sentence_scores') }}

)

select
    metric,
    corpus,
    is_available,
    n_requests,
    n_scores,
    reason_code,
    reason,
    remedy

from {{ with_reasons('facts', [
    'n_requests', 'n_scores', 'n_failures', 'n_open', 'n_inputs', 'n_approximated',
    'n_part_requests', 'n_part_scores', 'metric', 'part', 'scope', 'language', 'languages',
    'advice', 'message'
]) }}
