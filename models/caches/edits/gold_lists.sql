-- The gold of a source for edit-based metrics: one annotation per annotator or reference, in order.
-- It comes from the annotators of a set if there are any, else from its texts.
with

annotated_gold as (

    select * from {{ ref('annotated_gold') }}

),

pairs as (

    select distinct
        source_text_id,
        references_key

    from {{ ref('scoring_pairs') }}
    where has_edit_metrics

),

text_edits as (

    select cached.*
    from {{ ref('text_edits') }} as cached
    inner join {{ ref('edit_extractor') }} using (extractor_key)

),

references_of_pairs as (

    select
        pairs.source_text_id,
        pairs.references_key,
        unnest(reference_lists.text_ids) as target_text_id,
        generate_subscripts(reference_lists.text_ids, 1) as position

    from pairs
    inner join {{ ref('reference_contents') }} as reference_lists using (references_key)

),

extracted as (

    select
        references_of_pairs.source_text_id,
        references_of_pairs.references_key,
        list(text_edits.annotation order by references_of_pairs.position) as annotations

    from references_of_pairs
    left join text_edits using (source_text_id, target_text_id)
    group by references_of_pairs.source_text_id, references_of_pairs.references_key
    -- Only complete lists: the edits of every existing reference are extracted. A missing reference
    -- is NULL.
    having count(text_edits.annotation) = count(references_of_pairs.target_text_id)

)

select distinct
    null::bigint as source_text_id,
    null::bigint as references_key,
    gold_key,
    annotations,
    gold

from annotated_gold

union

select distinct
    null::bigint as source_text_id,
    null::bigint as references_key,
    typed_gold_key as gold_key,
    list_transform(
        typed_gold,
        lambda annotation: if(annotation = {{ silent_annotation() }}, null, annotation)
    ) as annotations,
    typed_gold as gold

from annotated_gold

union all

select
    source_text_id,
    references_key,
    {{ annotations_key('annotations') }} as gold_key,
    annotations,
    annotations as gold

from extracted
