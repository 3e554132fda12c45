-- The sufficient statistics behind the scores of system outputs. Where metrics share statistics
-- they stand under the first that reads them: gleu_equation reads gleu's, ibleu bleu's and its own.
-- Metrics of the user's own have no other statistic than their score, in system_sentence_scores.
--
-- By far the largest mart, so only systems whose output, references or metrics changed are written
-- again: `fingerprint` names everything that their rows depend on, and a hook deletes the rows of
-- fingerprints that are no longer current.
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
        reads_source,
        reads_hypothesis,
        reads_references,
        reads_gold,
        reads_edits,
        per_reference,
        statistics as names,
        -- Selected or not: ibleu reads two families that name their statistics alike.
        arg_min(metric, place) as metric

    from {{ ref('metric_registry') }}
    where scored_by = 'warehouse'
    group by all
    having bool_or(is_selected)

),

cached as (

    select * from {{ ref('metric_statistics') }}

),

reference_names as (

    select * from {{ ref('reference_names') }}

),

-- Where each statistic stands in the flattened list of its family.
places as (

    select
        families.metric,
        reference_names.corpus,
        reference_names.reference_set,
        if(families.per_reference, reference_names.reference, null) as reference,
        unnest(families.names) as statistic,
        reference_names.position * len(families.names)
        + generate_subscripts(families.names, 1) as place

    from families
    inner join reference_names
        on
            {{ reference_kind() }} = reference_names.kind
            and (families.per_reference or reference_names.position = 0)

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
        families.signature_key,
        {{ source_key() }} as source_text_id,
        {{ hypothesis_key() }} as hypothesis_text_id,
        {{ references_key() }} as references_key

    from inputs
    cross join families

),

located as (

    select
        requested.corpus,
        requested.reference_set,
        requested.system,
        requested.sentence_id,
        requested.fingerprint,
        requested.metric,
        cached.statistics

    from requested
    inner join cached
        on
            requested.signature_key = cached.signature_key
            and requested.hypothesis_text_id = cached.hypothesis_text_id
            and requested.source_text_id = cached.source_text_id
            and requested.references_key = cached.references_key

)

select
    located.corpus,
    located.reference_set,
    located.system,
    located.sentence_id,
    located.metric,
    places.reference,
    places.statistic,
    located.statistics[places.place] as value,
    located.fingerprint

from located
inner join places
    on
        located.corpus = places.corpus
        and located.reference_set = places.reference_set
        and located.metric = places.metric
-- An annotator without a line for the sentence has no statistics.
where not isnan(located.statistics[places.place])
