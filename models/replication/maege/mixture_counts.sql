-- How many references the mixing of corrections implies: one for every combination of alternatives
-- that the edits between a source and its references allow. What Figure 1 of the MAEGE paper draws:
-- the sources of all chain positions, and those of the sampled corpora (their first draw).
with

families as (

    select distinct
        signature_key,
        list_position(statistics, 'n_references') as place

    from {{ ref('metric_registry') }}
    where is_selected and family = 'imeasure_mix'

),

counts as (

    select
        cached.source_text_id,
        cached.hypothesis_text_id,
        cached.references_key as gold_key,
        cached.statistics[families.place] as n_references

    from {{ ref('metric_statistics') }} as cached
    inner join families using (signature_key)

),

-- The corpora of a draw share their sources, and the gold does not depend on the hypothesis.
units as (

    select distinct
        corpus,
        experiment,
        if(used_in = 'chain', 'chain_position', 'corpus_sentence') as unit,
        sentence_id,
        chain_id,
        position,
        pair_id

    from {{ ref('scored_units') }}
    where used_in = 'chain' or (used_in = 'sampled_corpus' and draw = 0 and expected_edits = 0)

)

select
    units.corpus,
    units.experiment,
    units.unit,
    units.sentence_id,
    units.chain_id,
    units.position,
    counts.n_references

from units
inner join {{ ref('scoring_inputs') }} using (pair_id)
inner join counts using (source_text_id, hypothesis_text_id, gold_key)
