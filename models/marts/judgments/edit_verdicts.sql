-- Every verdict on a single edit, the outputs that it compares, and its provenance: `gold` if the
-- edited text is identical to a reference; a judge if the manifest names one or the sentence is
-- known.
with

texts as (

    select * from {{ ref('judged_outputs') }}

),

links as (

    select distinct
        judgment_set,
        item

    from {{ ref('judged_links') }}

)

select
    verdicts.judgment_set,
    verdicts.task,
    verdicts.path,
    verdicts.line,
    verdicts.item,
    verdicts.edit,
    verdicts.start_char,
    verdicts.end_char,
    verdicts.original,
    verdicts.correction,
    sources.output_id as source_output_id,
    edited.output_id,
    verdicts.judge,
    verdicts.slot,
    verdicts.verdict,
    verdicts.value,
    case
        when edited.is_reference_text then 'taken_from_gold'
        when tasks.provenance = 'judged' or links.item is not null then 'judged'
        else 'unknown'
    end as provenance

from {{ source('raw', 'edit_verdicts') }} as verdicts
inner join {{ source('raw', 'judgment_tasks') }} as tasks using (judgment_set, task)
left join links using (judgment_set, item)
left join texts as sources
    on
        verdicts.judgment_set = sources.judgment_set
        and verdicts.item = sources.item
        and sources.is_source
left join texts as edited
    on
        verdicts.judgment_set = edited.judgment_set
        and verdicts.item = edited.item
        and verdicts.edited = edited.text
