-- What each family of statistics reads for every sentence of every output that is made by rule.
-- Such outputs are scored by what scores real ones.
with

pairs as (

    select
        pair_id,
        corpus,
        reference_set,
        system,
        sentence_id

    from {{ ref('adversarial_pairs') }}

)

select
    pairs.pair_id,
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
    inputs.weighed_gold_key

from pairs
inner join {{ ref('scoring_inputs') }} as inputs using (pair_id)
