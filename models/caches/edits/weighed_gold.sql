-- The gold of a source together with the edits of all systems, for metrics that weight corrections
-- by the number of systems that make them. The last annotation of the list has the systems' edits,
-- one system after the other. Empty unless such a metric is selected.
with

pairs as (

    select distinct
        source_text_id,
        references_key,
        gold_key,
        outputs_key

    from {{ ref('scoring_pairs') }}
    where
        has_edit_metrics
        and outputs_key <> 0
        and exists (
            select registry.metric from {{ ref('metric_registry') }} as registry
            where registry.is_selected and registry.reads_outputs
        )

),

gold_lists as (

    select * from {{ ref('gold_lists') }}

),

golds as (

    select distinct
        gold_key,
        annotations
    from gold_lists

),

compared as (

    select distinct
        pairs.source_text_id,
        pairs.outputs_key,
        coalesce(nullif(pairs.gold_key, 0), extracted.gold_key) as gold_key

    from pairs
    left join gold_lists as extracted using (source_text_id, references_key)

),

output_lists as (

    select distinct
        outputs_key,
        outputs
    from {{ ref('output_lists') }}

),

ingested_edits as (

    select distinct
        annotation_key,
        annotation
    from {{ ref('ingested_edits') }}

),

text_edits as (

    select cached.*
    from {{ ref('text_edits') }} as cached
    inner join {{ ref('edit_extractor') }} using (extractor_key)

),

sources as (

    select distinct
        source_text_id,
        outputs_key
    from compared

),

listed_outputs as (

    select
        sources.source_text_id,
        sources.outputs_key,
        unnest(output_lists.outputs) as output

    from sources
    inner join output_lists using (outputs_key)

),

members as (

    select
        source_text_id,
        outputs_key,
        struct_extract(output, 'text_id') as text_id,
        struct_extract(output, 'edits_key') as edits_key

    from listed_outputs

),

did as (

    select
        members.source_text_id,
        members.outputs_key,
        string_agg(
            coalesce(ingested_edits.annotation, text_edits.annotation), chr(29)
            order by coalesce(ingested_edits.annotation, text_edits.annotation)
        ) as annotations

    from members
    left join ingested_edits on members.edits_key = ingested_edits.annotation_key
    left join text_edits
        on
            members.source_text_id = text_edits.source_text_id
            and members.text_id = text_edits.target_text_id
    group by members.source_text_id, members.outputs_key
    -- All systems are required: a system without extracted edits would count as right everywhere.
    having count(coalesce(ingested_edits.annotation, text_edits.annotation)) = count(*)

),

listed as (

    select
        compared.source_text_id,
        compared.outputs_key,
        compared.gold_key,
        list_append(golds.annotations, did.annotations) as annotations

    from compared
    inner join did using (source_text_id, outputs_key)
    inner join golds using (gold_key)

)

select
    *,
    {{ annotations_key('annotations') }} as weighed_gold_key

from listed
