-- The sufficient statistics behind the scores of system outputs. Where metrics share statistics
-- they stand under the first that reads them: gleu_equation reads gleu's, ibleu bleu's and its own.
--
-- By far the largest mart, so only systems whose output, references or metrics changed are written
-- again: `fingerprint` names everything that their rows depend on, and a hook deletes the rows of
-- fingerprints that are no longer current.
with

all_pairs as (

    select * from {{ ref('system_pairs') }}

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

pairs as (

    select
        all_pairs.*,
        changed.fingerprint

    from all_pairs
    inner join changed
        on
            all_pairs.corpus = changed.corpus
            and all_pairs.reference_set = changed.reference_set
            and all_pairs.system = changed.system

),

families as (

    select
        family,
        signature_key,
        reads_source,
        reads_references,
        per_reference,
        statistics as names,
        -- Selected or not: ibleu reads two families that name their statistics alike.
        arg_min(metric, place) as metric

    from {{ ref('metric_registry') }}
    group by all
    having bool_or(is_selected)

),

cached as (

    select * from {{ ref('metric_statistics') }}

),

reference_positions as (

    select distinct
        corpus,
        reference_set,
        position,
        reference

    from {{ ref('reference_texts') }}

),

-- Where each statistic stands in the flattened list of its family.
places as (

    select
        families.metric,
        reference_positions.corpus,
        reference_positions.reference_set,
        if(families.per_reference, reference_positions.reference, null) as reference,
        unnest(families.names) as statistic,
        reference_positions.position * len(families.names)
        + generate_subscripts(families.names, 1) as place

    from families
    inner join reference_positions
        on families.per_reference or reference_positions.position = 0

),

located as (

    select
        pairs.corpus,
        pairs.reference_set,
        pairs.system,
        pairs.sentence_id,
        pairs.fingerprint,
        families.metric,
        cached.statistics

    from pairs
    cross join families
    inner join cached
        on
            families.signature_key = cached.signature_key
            and pairs.hypothesis_text_id = cached.hypothesis_text_id
            and if(families.reads_source, pairs.source_text_id, 0) = cached.source_text_id
            and if(families.reads_references, pairs.references_key, 0) = cached.references_key

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
