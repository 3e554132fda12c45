-- Names all that the statistics of a system against a reference set depend on: texts and edits, the
-- names of the references, signatures of the metrics that have more statistics than their score.
with

inputs as (

    select * from {{ ref('system_inputs') }}

),

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

)

select
    inputs.corpus,
    inputs.reference_set,
    inputs.system,
    md5(concat_ws(
        chr(31),
        inputs.corpus,
        inputs.reference_set,
        inputs.system,
        any_value(reference_names.listed),
        any_value(signatures.listed),
        string_agg(
            concat_ws(
                ',',
                inputs.source_text_id,
                inputs.hypothesis_text_id,
                inputs.references_key,
                coalesce(inputs.gold_key, 0),
                coalesce(inputs.edits_key, 0),
                coalesce(inputs.typed_gold_key, 0),
                coalesce(inputs.weighed_gold_key, 0)
            ),
            ' ' order by inputs.sentence_id
        )
    )) as fingerprint

from inputs
inner join reference_names
    on
        inputs.corpus = reference_names.corpus
        and inputs.reference_set = reference_names.reference_set
cross join signatures
group by inputs.corpus, inputs.reference_set, inputs.system
