-- The sufficient statistics behind the scores of system outputs, one list for each sentence of an
-- output and family: what system_statistics shows one by one. Where metrics share statistics they
-- stand under the first that reads them: gleu_equation reads gleu's, ibleu bleu's and its own.
-- System and reference set go by the fingerprint, and lists of counts are whole numbers: with all
-- names in each row, and doubles alone, there was twice as much to publish.
-- Metrics of the user's own have no other statistic than their score, in system_sentence_scores.
--
-- Only systems whose output, references or metrics changed are written again: `fingerprint` names
-- everything that their rows depend on, and a hook deletes the rows of fingerprints that are no
-- longer current.
with

changed as (

    select * from {{ ref('output_fingerprints') }}
    {% if is_incremental() %}
        where fingerprint not in (select distinct written.fingerprint from {{ this }} as written)
    {% endif %}

),

inputs as (

    select
        all_inputs.*,
        changed.reads_outputs,
        changed.fingerprint

    from {{ ref('system_inputs') }} as all_inputs
    inner join changed
        on
            all_inputs.corpus = changed.corpus
            and all_inputs.reference_set = changed.reference_set
            and all_inputs.system = changed.system

),

families as (

    select
        family,
        signature_key,
        scored_by,
        reads_source,
        reads_hypothesis,
        reads_references,
        reads_gold,
        reads_edits,
        reads_types,
        reads_outputs,
        hash(
            reads_source,
            reads_hypothesis,
            reads_references,
            reads_gold,
            reads_edits,
            reads_types,
            reads_outputs
        ) as reading,
        -- Selected or not: ibleu reads two families that name their statistics alike.
        arg_min(metric, place) as metric

    from {{ ref('metric_registry') }}
    where scored_by in ('warehouse', 'languagetool')
    group by all
    having bool_or(is_selected)

),

readings as (

    select distinct
        reading,
        reads_source,
        reads_hypothesis,
        reads_references,
        reads_gold,
        reads_edits,
        reads_types,
        reads_outputs

    from families
    where scored_by = 'warehouse'

),

-- What families read of an output is the same for many of them: each reading is asked once.
-- Materialised, or the cache would be joined before its keys are known.
requested as materialized (

    select
        inputs.corpus,
        inputs.fingerprint,
        inputs.sentence_id,
        readings.reading,
        {{ source_key('readings') }} as source_text_id,
        {{ hypothesis_key('readings') }} as hypothesis_text_id,
        {{ references_key('readings') }} as references_key

    from inputs
    inner join readings using (reads_outputs)

),

statistics_read as (

    select
        families.metric,
        families.family,
        families.reading,
        cached.hypothesis_text_id,
        cached.source_text_id,
        cached.references_key,
        cached.statistics

    from {{ ref('metric_statistics') }} as cached
    inner join families using (signature_key)
    where families.scored_by = 'warehouse'

),

found as (

    select
        requested.corpus,
        requested.fingerprint,
        requested.sentence_id,
        statistics_read.metric,
        -- An annotator without a line for the sentence has none.
        list_transform(
            statistics_read.statistics, lambda n: if(isnan(n), null, n)  -- noqa: RF02
        ) as statistics

    from requested
    inner join statistics_read using (reading, hypothesis_text_id, source_text_id, references_key)
    -- No score is made of the half of a corpus that a metric was trained on.
    anti join {{ ref('sentences_trained_on') }} as trained_on
        on
            statistics_read.family = trained_on.family
            and requested.corpus = trained_on.corpus
            and requested.sentence_id = trained_on.sentence_id

    union all

    select
        inputs.corpus,
        inputs.fingerprint,
        inputs.sentence_id,
        families.metric,
        [grammar.errors, grammar.tokens]::double[] as statistics

    from inputs
    inner join {{ ref('grammar_scores') }} as grammar on inputs.hypothesis_text_id = grammar.text_id
    inner join families on grammar.metric = families.metric
    -- A text that LanguageTool could not check has no statistics.
    where
        families.scored_by = 'languagetool'
        and grammar.error is null
        and not inputs.reads_outputs

),

-- A number that is too large becomes NULL, one with a fraction is rounded: neither list is equal.
rounded as (

    select
        *,
        try_cast(statistics as integer[]) as counts,
        counts::double[] = statistics as are_counts

    from found

)

select
    corpus,
    fingerprint,
    sentence_id,
    metric,
    if(are_counts, counts, null) as counts,
    if(are_counts, null, statistics) as reals

from rounded
