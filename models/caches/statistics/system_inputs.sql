-- The inputs of each family of statistics for every sentence of every system output.
with

pairs as (

    select
        pair_id,
        corpus,
        reference_set,
        system,
        sentence_id

    from {{ ref('scored_units') }}
    where used_in = 'system'

)

select
    pairs.corpus,
    pairs.reference_set,
    pairs.system,
    pairs.sentence_id,
    inputs.source_text_id,
    inputs.hypothesis_text_id,
    inputs.references_key,
    inputs.gold_key,
    inputs.edits_key,
    inputs.typed_gold_key,
    inputs.weighed_gold_key,
    -- The gold with the same kind of types, for comparison with the edits of the hypothesis.
    if(extractors.has_types, inputs.typed_gold_key, inputs.gold_key) as matched_gold_key,
    if(extractors.has_types, 'typed_gold', 'gold') as matched_gold_kind

from pairs
inner join {{ ref('scoring_inputs') }} as inputs using (pair_id)
inner join {{ source('raw', 'corpora') }} as corpora on pairs.corpus = corpora.corpus
inner join {{ ref('edit_extractor') }} as extractors on corpora.language = extractors.language
