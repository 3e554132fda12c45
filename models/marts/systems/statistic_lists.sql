-- The sufficient statistics behind the scores of system outputs, one list for each sentence of an
-- output and family: what system_statistics shows one by one. Where metrics share statistics they
-- stand under the first that reads them: gleu_equation reads gleu's, ibleu bleu's and its own.
-- Metrics of the user's own have no other statistic than their score, in system_sentence_scores.
--
-- Only systems whose output, references or metrics changed are written again: `fingerprint` names
-- everything that their rows depend on, and a hook deletes the rows of fingerprints that are no
-- longer current.
with

all_inputs as (

    select * from {{ ref('system_inputs') }}

),

fingerprints as (

    select * from {{ ref('system_fingerprints') }}

),

changed as (

    select * from fingerprints
    {% if is_incremental() %}
        where fingerprint not in (select distinct written.fingerprint from {{ this }} as written)
    {% endif %}

),

inputs as (

    select
        all_inputs.*,
        changed.fingerprint

    from all_inputs
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
        -- Selected or not: ibleu reads two families that name their statistics alike.
        arg_min(metric, place) as metric

    from {{ ref('metric_registry') }}
    where scored_by in ('warehouse', 'languagetool')
    group by all
    having bool_or(is_selected)

),

cached as (

    select * from {{ ref('metric_statistics') }}

),

grammar as (

    select * from {{ ref('grammar_scores') }}

),

-- Materialised, or the cache would be joined before its keys are known.
requested as materialized (

    select
        inputs.corpus,
        inputs.reference_set,
        inputs.system,
        inputs.sentence_id,
        inputs.fingerprint,
        families.metric,
        families.scored_by,
        families.signature_key,
        {{ source_key() }} as source_text_id,
        {{ hypothesis_key() }} as hypothesis_text_id,
        {{ references_key() }} as references_key

    from inputs
    cross join families

)

select
    requested.corpus,
    requested.reference_set,
    requested.system,
    requested.sentence_id,
    requested.metric,
    -- An annotator without a line for the sentence has none.
    list_transform(cached.statistics, lambda n: if(isnan(n), null, n)) as statistics,  -- noqa: RF02
    requested.fingerprint

from requested
inner join cached
    on
        requested.signature_key = cached.signature_key
        and requested.hypothesis_text_id = cached.hypothesis_text_id
        and requested.source_text_id = cached.source_text_id
        and requested.references_key = cached.references_key
where requested.scored_by = 'warehouse'

union all

select
    requested.corpus,
    requested.reference_set,
    requested.system,
    requested.sentence_id,
    requested.metric,
    [grammar.errors, grammar.tokens]::double[] as statistics,
    requested.fingerprint

from requested
inner join grammar
    on
        requested.metric = grammar.metric
        and requested.hypothesis_text_id = grammar.text_id
-- A text that LanguageTool could not check has no statistics.
where requested.scored_by = 'languagetool' and grammar.error is null
