-- Each statistic of each reference is there once for every sentence of every output, and no other:
-- only what changed is written again, so that rows could be left behind. Counted by group, and in
-- the lists behind the mart, less what is missing in them: to count all numbers one by one would
-- cost more than building most marts.
with

lists as (

    select
        stored.corpus,
        outputs.reference_set,
        stored.metric,
        coalesce(stored.counts, stored.reals) as statistics,
        len(statistics) as n_statistics

    from {{ ref('statistic_lists') }} as stored
    inner join {{ ref('output_fingerprints') }} as outputs
        on stored.fingerprint = outputs.fingerprint

),

counted_lists as (

    select
        corpus,
        reference_set,
        metric,
        n_statistics,
        count(*) as n_lists

    from lists
    group by corpus, reference_set, metric, n_statistics

),

values_of_lists as (

    select
        corpus,
        reference_set,
        metric,
        generate_subscripts(statistics, 1) as place,
        unnest(statistics) as value

    from lists
    where list_count(statistics) < n_statistics

),

gaps as (

    select
        corpus,
        reference_set,
        metric,
        place,
        count(*) as n_gaps

    from values_of_lists
    where value is null
    group by corpus, reference_set, metric, place

),

counted as (

    select
        places.corpus,
        places.reference_set,
        places.metric,
        places.reference,
        places.statistic,
        sum(counted_lists.n_lists) - coalesce(any_value(gaps.n_gaps), 0) as n_values

    from {{ ref('statistic_places') }} as places
    inner join counted_lists
        on
            places.corpus = counted_lists.corpus
            and places.reference_set = counted_lists.reference_set
            and places.metric = counted_lists.metric
            and places.place <= counted_lists.n_statistics
    left join gaps
        on
            places.corpus = gaps.corpus
            and places.reference_set = gaps.reference_set
            and places.metric = gaps.metric
            and places.place = gaps.place
    group by
        places.corpus, places.reference_set, places.metric, places.reference, places.statistic
    having n_values > 0

),

inputs as (

    select * from {{ ref('system_inputs') }}

),

gold_lists as (

    select distinct
        gold_key,
        annotations,
        gold

    from {{ ref('gold_lists') }}

),

pairs as (

    select
        inputs.corpus,
        inputs.reference_set,
        corpora.language,
        count(*) as n_pairs

    from inputs
    inner join {{ source('raw', 'corpora') }} as corpora on inputs.corpus = corpora.corpus
    group by inputs.corpus, inputs.reference_set, corpora.language

),

reference_lists as (

    select distinct
        references_key,
        text_ids

    from {{ ref('reference_lists') }}

),

-- An annotator without a line for a sentence has no statistics there, but of families that count
-- silence; nor has a reference that is not there.
lines as (

    select
        inputs.corpus,
        inputs.reference_set,
        'gold' as kind,
        generate_subscripts(gold_lists.annotations, 1) - 1 as position,
        unnest(gold_lists.annotations) as annotation,
        unnest(gold_lists.gold) as answer

    from inputs
    inner join gold_lists on inputs.gold_key = gold_lists.gold_key

    union all

    select
        inputs.corpus,
        inputs.reference_set,
        'typed_gold' as kind,
        generate_subscripts(gold_lists.annotations, 1) - 1 as position,
        unnest(gold_lists.annotations) as annotation,
        unnest(gold_lists.gold) as answer

    from inputs
    inner join gold_lists on inputs.typed_gold_key = gold_lists.gold_key

    union all

    select
        inputs.corpus,
        inputs.reference_set,
        'texts' as kind,
        generate_subscripts(reference_lists.text_ids, 1) - 1 as position,
        unnest(reference_lists.text_ids)::varchar as annotation,
        unnest(reference_lists.text_ids)::varchar as answer

    from inputs
    inner join reference_lists on inputs.references_key = reference_lists.references_key

),

counted_lines as (

    select
        corpus,
        reference_set,
        kind,
        position,
        count(annotation) as n_lines,
        count(answer) as n_answers

    from lines
    group by corpus, reference_set, kind, position

),

families as (

    select
        family,
        reads_gold,
        reads_edits,
        reads_types,
        per_reference,
        arg_min(metric, place) as metric,
        list(languages) filter (where is_selected) as readers,
        trained_on,
        unnest(any_value(statistics)) as statistic

    from {{ ref('metric_registry') }}
    where scored_by in ('warehouse', 'languagetool')
    group by family, reads_gold, reads_edits, reads_types, per_reference, trained_on
    having bool_or(is_selected)

),

-- A text that LanguageTool could not check, or has not checked yet, has none either.
unchecked as (

    select
        inputs.corpus,
        inputs.reference_set,
        requests.metric,
        count(*) as n_unchecked

    from inputs
    inner join {{ ref('own_requests') }} as requests
        on inputs.hypothesis_text_id = requests.hypothesis_text_id
    where
        requests.score is null
        and requests.metric in (
            select registry.metric
            from {{ ref('metric_registry') }} as registry
            where registry.scored_by = 'languagetool'
        )
    group by inputs.corpus, inputs.reference_set, requests.metric

),

-- Nor has what a metric was trained on, half a corpus.
trained_on as (

    select
        inputs.corpus,
        inputs.reference_set,
        sentences.family,
        count(*) as n_trained_on

    from inputs
    inner join {{ ref('sentences_trained_on') }} as sentences
        on
            inputs.corpus = sentences.corpus
            and inputs.sentence_id = sentences.sentence_id
    group by inputs.corpus, inputs.reference_set, sentences.family

),

reference_names as (

    select * from {{ ref('reference_names') }}

),

expected as (

    select
        pairs.corpus,
        pairs.reference_set,
        families.metric,
        if(families.per_reference, reference_names.reference, null) as reference,
        families.statistic,
        -- CLEME passes over a reference that deletes the whole sentence, perhaps everywhere.
        families.reads_edits and not families.reads_types as may_lack_some,
        if(
            families.per_reference,
            coalesce(
                if(
                    ends_with(families.family, '_no_error'),
                    counted_lines.n_answers,
                    counted_lines.n_lines
                ),
                0
            ),
            pairs.n_pairs
            - coalesce(unchecked.n_unchecked, 0)
            - coalesce(trained_on.n_trained_on, 0)
        ) as n_pairs

    from pairs
    inner join reference_names
        on
            pairs.corpus = reference_names.corpus
            and pairs.reference_set = reference_names.reference_set
    inner join families
        on
            -- Some metric that reads the statistics can read the corpus.
            len(list_filter(
                families.readers,
                lambda reader: {{ reads_language('reader', 'pairs.language') }}
            )) > 0
            and families.trained_on is distinct from pairs.corpus
            and {{ reference_kind() }} = reference_names.kind
            and (families.per_reference or reference_names.position = 0)
    left join counted_lines
        on
            reference_names.corpus = counted_lines.corpus
            and reference_names.reference_set = counted_lines.reference_set
            and reference_names.kind = counted_lines.kind
            and reference_names.position = counted_lines.position
    left join unchecked
        on
            pairs.corpus = unchecked.corpus
            and pairs.reference_set = unchecked.reference_set
            and families.metric = unchecked.metric
    left join trained_on
        on
            pairs.corpus = trained_on.corpus
            and pairs.reference_set = trained_on.reference_set
            and families.family = trained_on.family

)

select
    coalesce(expected.corpus, counted.corpus) as corpus,
    coalesce(expected.reference_set, counted.reference_set) as reference_set,
    coalesce(expected.metric, counted.metric) as metric,
    coalesce(expected.reference, counted.reference) as reference,
    coalesce(expected.statistic, counted.statistic) as statistic,
    expected.n_pairs,
    counted.n_values

from expected
full outer join counted
    on
        expected.corpus = counted.corpus
        and expected.reference_set = counted.reference_set
        and expected.metric = counted.metric
        and expected.reference is not distinct from counted.reference
        and expected.statistic = counted.statistic
where
    coalesce(counted.n_values, 0) is distinct from expected.n_pairs
    and not coalesce(
        expected.may_lack_some and coalesce(counted.n_values, 0) < expected.n_pairs, false
    )
