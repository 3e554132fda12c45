-- The inputs of each scoring pair for the families of statistics, by content. Besides its texts:
-- the gold for edit-based metrics; the edits of the hypothesis and a gold with the same kind of
-- types, for metrics that compare edits with edits; the gold with all systems' edits, for metrics
-- that weight by them. NULL if edits are not extracted.
with

gold_lists as (

    select * from {{ ref('gold_lists') }}
    where source_text_id is not null

),

text_edits as (

    select
        cached.source_text_id,
        cached.target_text_id,
        cached.annotation_key

    from {{ ref('text_edits') }} as cached
    inner join {{ ref('edit_extractor') }} using (extractor_key)

)

select
    pairs.pair_id,
    pairs.corpus,
    pairs.sentence_id,
    pairs.source_text_id,
    pairs.hypothesis_text_id,
    pairs.references_key,
    pairs.first_draw,
    if(
        pairs.has_edit_metrics, coalesce(nullif(pairs.gold_key, 0), gold_lists.gold_key), null
    ) as gold_key,
    if(
        pairs.has_edit_metrics,
        coalesce(nullif(pairs.edits_key, 0), text_edits.annotation_key),
        null
    ) as edits_key,
    if(
        pairs.has_edit_metrics,
        coalesce(nullif(pairs.typed_gold_key, 0), gold_lists.gold_key),
        null
    ) as typed_gold_key,
    weighed_gold.weighed_gold_key

from {{ ref('scoring_pairs') }} as pairs
left join gold_lists using (source_text_id, references_key)
left join text_edits
    on
        pairs.source_text_id = text_edits.source_text_id
        and pairs.hypothesis_text_id = text_edits.target_text_id
left join {{ ref('weighed_gold') }} as weighed_gold
    on
        pairs.source_text_id = weighed_gold.source_text_id
        and pairs.outputs_key = weighed_gold.outputs_key
        -- A single condition: with a condition on pairs only, DuckDB would compare every pair with
        -- every list.
        and if(
            pairs.has_edit_metrics, coalesce(nullif(pairs.gold_key, 0), gold_lists.gold_key), null
        ) = weighed_gold.gold_key
