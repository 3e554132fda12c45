-- Names all that the statistics of a system against a reference set depend on: texts and edits, the
-- names of the references, signatures of the metrics that have more statistics than their score.
-- Only the statistics of families that read the outputs of all systems depend on other systems.
with

signatures as (

    select list_sort(list(distinct signature_key))::varchar as listed
    from {{ ref('metric_registry') }}
    where is_selected and scored_by in ('warehouse', 'languagetool')

),

reference_names as (

    select
        corpus,
        reference_set,
        string_agg(reference, ' ' order by kind, position) as listed

    from {{ ref('reference_names') }}
    group by corpus, reference_set

),

outputs as (

    select
        corpus,
        reference_set,
        system,
        string_agg(
            concat_ws(
                ',',
                source_text_id,
                hypothesis_text_id,
                references_key,
                coalesce(gold_key, 0),
                coalesce(edits_key, 0),
                coalesce(typed_gold_key, 0)
            ),
            ' ' order by sentence_id
        ) as listed,
        string_agg(coalesce(weighed_gold_key, 0)::varchar, ' ' order by sentence_id) as weighed

    from {{ ref('system_inputs') }}
    group by corpus, reference_set, system

)

select
    outputs.corpus,
    outputs.reference_set,
    outputs.system,
    kinds.reads_outputs,
    md5(concat_ws(
        chr(31),
        outputs.corpus,
        outputs.reference_set,
        outputs.system,
        reference_names.listed,
        signatures.listed,
        outputs.listed,
        if(kinds.reads_outputs, outputs.weighed, '')
    )) as fingerprint

from outputs
inner join reference_names using (corpus, reference_set)
cross join signatures
cross join (values (false), (true)) as kinds (reads_outputs)
