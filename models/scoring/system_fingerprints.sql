-- Names all that the statistics of a system against a reference set depend on: texts, the names of
-- the references, signatures of the metrics.
with

pairs as (

    select * from {{ ref('system_pairs') }}

),

signatures as (

    select list_sort(list(distinct signature_key))::varchar as listed
    from {{ ref('metric_registry') }}
    where is_selected

),

reference_positions as (

    select distinct
        corpus,
        reference_set,
        position,
        reference

    from {{ ref('reference_texts') }}

),

reference_names as (

    select
        corpus,
        reference_set,
        string_agg(reference, ' ' order by position) as listed

    from reference_positions
    group by corpus, reference_set

)

select
    pairs.corpus,
    pairs.reference_set,
    pairs.system,
    md5(concat_ws(
        chr(31),
        pairs.corpus,
        pairs.reference_set,
        pairs.system,
        any_value(reference_names.listed),
        any_value(signatures.listed),
        string_agg(
            concat_ws(
                ',', pairs.source_text_id, pairs.hypothesis_text_id, pairs.references_key
            ),
            ' ' order by pairs.sentence_id
        )
    )) as fingerprint

from pairs
inner join reference_names
    on
        pairs.corpus = reference_names.corpus
        and pairs.reference_set = reference_names.reference_set
cross join signatures
group by pairs.corpus, pairs.reference_set, pairs.system
