-- Which metrics have scores here, and what to do about the others: in all, and for a corpus in a
-- language that a metric cannot read, that it was trained on, or half of it, or whose outputs have
-- no references beside them.
with

flagging_families as (

    select distinct
        signature_key,
        len(statistics) as n_statistics,
        list_position(statistics, 'approximated') as place

    from {{ ref('metric_registry') }}
    where list_contains(statistics, 'approximated')

),

-- Inputs too large for an exact result: flagged in system_statistics, counted here. A family may
-- keep a row of statistics for each reference.
flags as (

    select
        families.signature_key,
        list_select(
            cached.statistics,
            range(families.place, len(cached.statistics) + 1, families.n_statistics)
        ) as of_references

    from flagging_families as families
    inner join {{ ref('metric_statistics') }} as cached using (signature_key)

),

approximations as (

    select
        signature_key,
        count(*) as n_inputs,
        count(*) filter (where list_contains(of_references, 1)) as n_approximated

    from flags
    group by signature_key

),

registry as (

    select
        metrics.metric,
        bool_and(metrics.is_selected) as is_selected,
        any_value(metrics.reason) as reason,
        any_value(metrics.remedy) as remedy,
        sum(approximations.n_inputs) as n_inputs,
        sum(approximations.n_approximated) as n_approximated

    from {{ ref('metric_registry') }} as metrics
    left join approximations using (signature_key)
    where metrics.scored_by = 'warehouse'
    group by metrics.metric

),

own_metrics as (

    select
        *,
        -- The part of what is asked that it scores; '' for all.
        concat_ws(
            ', ',
            format('{:,} sentences of each corpus', sample_sentences),
            if(
                scored_by in ('function', 'class') and n_draws < {{ var('corpus_draws') }},
                format('{} of {} draws of sampled corpora', n_draws, {{ var('corpus_draws') }}),
                null
            ),
            'mode ' || only_mode || ' alone',
            if(reads_other, 'steps alone, because it compares texts', null)
        ) as part

    from {{ ref('metric_registry') }}
    where scored_by <> 'warehouse'

),

coverage as (

    select
        metric,
        count(*) as n_requests,
        count(score) as n_scores,
        count(failure) as n_failures,
        arg_min(failure, request_id) as failure

    from {{ ref('own_requests') }}
    group by metric

),

-- What a metric's part that is scored elsewhere lacks, the metric lacks.
parts as (

    select
        wholes.metric,
        arg_min(wholes.part, coverage.n_scores) as part,
        min(coverage.n_scores) as n_scores,
        any_value(coverage.n_requests) as n_requests

    from (
        select distinct
            metric,
            unnest(scored_elsewhere) as part
        from {{ ref('metric_registry') }}
    ) as wholes
    inner join coverage on wholes.part = coverage.metric
    where coverage.n_scores < coverage.n_requests
    group by wholes.metric

),

-- Metrics with a set-up that said that they cannot be had.
stopped as (

    select
        metric,
        reason

    from {{ ref('stopped_metrics') }}

),

ingested as (

    select distinct metric from {{ ref('usable_sentence_scores') }}

),

corpora as (

    select * from {{ source('raw', 'corpora') }}

),

-- A metric that was trained in several languages has a family in each, which reads no other: it
-- reads what one of them does. All rows of another metric say the same of languages.
readings as (

    select
        metrics.metric,
        any_value(metrics.other_languages) as other_languages,
        bool_or(metrics.reads_edits) as reads_edits,
        corpora.corpus,
        corpora.language,
        list_sort(list_distinct(flatten(list(metrics.languages)))) as languages,
        bool_or({{ reads_language('metrics.languages', 'corpora.language') }})
            as is_in_its_language,
        coalesce(bool_or(metrics.trained_on = corpora.corpus), false) as is_trained_on,
        bool_or({{ reads_corpus('metrics', 'corpora') }}) as is_read

    from {{ ref('metric_registry') }} as metrics
    cross join corpora
    where metrics.is_selected
    group by metrics.metric, corpora.corpus, corpora.language

),

-- Outputs are scored as those of a reference set, also by metrics that read none of its texts.
without_references as (

    select distinct corpus from {{ source('raw', 'outputs') }}
    except
    select corpus from {{ source('raw', 'reference_sets') }}

),

-- Corpora of which a metric was trained on half, and scores the other half.
halves as (

    select
        metrics.metric,
        any_value(metrics.other_languages) as other_languages,
        sentences.corpus,
        count(*) as n_sentences,
        count(*) filter (where trained_on.family is null) as n_scored,
        bool_and(sentences.document is not null) as has_documents

    from {{ ref('metric_registry') }} as metrics
    inner join {{ ref('usable_sentences') }} as sentences
        on metrics.trained_on_half_of = sentences.corpus
    left join {{ ref('sentences_trained_on') }} as trained_on
        on
            metrics.family = trained_on.family
            and sentences.corpus = trained_on.corpus
            and sentences.sentence_id = trained_on.sentence_id
    where metrics.is_selected
    group by metrics.metric, sentences.corpus

),

-- Metrics that can read no corpus.
unread as (

    select
        metric,
        bool_or(is_trained_on) as is_trained_on

    from readings
    group by metric
    having not bool_or(is_read)

),

in_all as (

    select
        registry.metric,
        registry.is_selected and coalesce(parts.n_scores, 1) > 0 as is_available,
        case
            when registry.is_selected and parts.part is not null
                then
                    format(
                        'computed where its part {} is, for {:,} of {:,} texts',
                        parts.part,
                        parts.n_scores,
                        parts.n_requests
                    )
            when registry.is_selected and registry.n_approximated > 0
                then
                    'computed here; ' || registry.n_approximated || ' of ' || registry.n_inputs
                    || ' results approximated, inputs too large'
            when registry.is_selected then 'computed here'
            else coalesce(registry.reason, 'left out by the variable metrics')
        end as reason,
        case
            when registry.is_selected and parts.part is not null
                then 'see the row of ' || parts.part
            when registry.is_selected then null
            else coalesce(registry.remedy, 'add it to the variable metrics in dbt_project.yml')
        end as remedy

    from registry
    left join parts using (metric)

    union all by name

    select
        own_metrics.metric,
        coalesce(coverage.n_scores, 0) > 0 as is_available,
        coverage.n_requests,
        coverage.n_scores,
        case
            when not own_metrics.is_selected
                then coalesce(own_metrics.reason, 'left out by the variable metrics')
            when coverage.metric is null then 'nothing ingested to score'
            when own_metrics.scored_by = 'file'
                then
                    format('scores of {:,} of {:,} inputs', coverage.n_scores, coverage.n_requests)
            when
                own_metrics.scored_by = 'languagetool'
                and coverage.n_scores + coverage.n_failures < coverage.n_requests
                then
                    format(
                        'LanguageTool ended, or did not start, before {:,} of {:,} texts',
                        coverage.n_requests - coverage.n_scores - coverage.n_failures,
                        coverage.n_requests
                    )
            when stopped.metric is not null
                then
                    format(
                        'stopped before {:,} of {:,} inputs: {}',
                        coverage.n_requests - coverage.n_scores - coverage.n_failures,
                        coverage.n_requests,
                        stopped.reason
                    )
            else
                'computed here'
                || if(own_metrics.part = '', '', ' of ' || own_metrics.part)
                || if(
                    own_metrics.sample_sentences is null,
                    '',
                    format(': {:,} of {:,} inputs', coverage.n_scores, coverage.n_requests)
                )
                || if(
                    coverage.n_failures = 0,
                    '',
                    format(
                        '; {:,} of {:,} inputs failed: {}',
                        coverage.n_failures,
                        coverage.n_requests,
                        coverage.failure
                    )
                )
        end as reason,
        case
            when not own_metrics.is_selected
                then
                    coalesce(
                        own_metrics.remedy, 'add it to the variable metrics in dbt_project.yml'
                    )
            when coverage.metric is null then 'maege ingest a corpus, then maege build'
            when coverage.n_scores = coverage.n_requests then null
            when stopped.metric is not null
                then
                    'mend what it says, then maege build, which goes on where it stopped; '
                    || 'maege metric try shows what it needs'
            when own_metrics.sample_sentences is not null and coverage.n_failures = 0
                then
                    'maege metric remove it and add it with more --sample-sentences: it goes on '
                    || 'from these'
            when
                own_metrics.scored_by = 'languagetool'
                and coverage.n_scores + coverage.n_failures < coverage.n_requests
                then 'maege doctor, then dbt build && maege publish: it goes on where it stopped'
            when own_metrics.scored_by = 'languagetool'
                then 'see marts.metric_failures: these texts kill or stall LanguageTool'
            when own_metrics.scored_by = 'file'
                then
                    'maege requests ' || own_metrics.metric
                    || ' --out FILE, score them, maege scores ' || own_metrics.metric
                    || ' FILE, then maege build'
            else
                'see marts.metric_failures; correct the function, or maege metric retry '
                || own_metrics.metric || ', then dbt build && maege publish'
        end as remedy

    from own_metrics
    left join coverage on own_metrics.metric = coverage.metric
    left join stopped on own_metrics.metric = stopped.metric

    union all by name

    select
        metric,
        true as is_available,
        'sentence scores ingested' as reason

    from ingested

)

select
    in_all.metric,
    in_all.is_available and unread.metric is null as is_available,
    in_all.n_requests,
    in_all.n_scores,
    case
        when unread.metric is null then in_all.reason
        when unread.is_trained_on
            then 'no corpus here is in its languages but those of its training'
        else 'no corpus here is in a language that it reads'
    end as reason,
    if(
        unread.metric is null, in_all.remedy, 'see the rows of this metric for each corpus'
    ) as remedy

from in_all
left join unread on in_all.metric = unread.metric

union all by name

select
    metric,
    corpus,
    false as is_available,
    format(
        'reads {}; the corpus is in {}', array_to_string(languages, ', '), language
    ) as reason,
    other_languages as remedy

from readings
where not is_in_its_language

union all by name

select
    metric,
    corpus,
    false as is_available,
    'trained on this corpus, whose texts it has seen' as reason,
    other_languages as remedy

from readings
where is_trained_on

union all by name

select
    metric,
    corpus,
    true as is_available,
    format(
        'trained on half of this corpus: scores {:,} of {:,} sentences, the other half',
        n_scored,
        n_sentences
    ) as reason,
    case
        when has_documents then 'nothing to do: no document is in both halves'
        else
            'an upper figure, as sentences of one document may be in both halves; else '
            || other_languages
    end as remedy

from halves

union all by name

select
    readings.metric,
    readings.corpus,
    false as is_available,
    'scores outputs beside a reference set; the corpus has none' as reason,
    'name references in the manifest, then maege ingest and maege build' as remedy

from readings
inner join without_references using (corpus)
where readings.is_read

union all by name

select
    readings.metric,
    readings.corpus,
    true as is_available,
    'compares edits of a plain alignment: ERRANT has no rules for ' || readings.language as reason,
    'scores need no types, and type_deltas and type_scores have those of the annotation file; '
    || 'compare with no scores in a language that it has rules for' as remedy

from readings
inner join {{ ref('edit_extractor') }} as extractors using (language)
where
    readings.is_read and readings.reads_edits and not extractors.has_types
    and readings.corpus not in (select without_references.corpus from without_references)
