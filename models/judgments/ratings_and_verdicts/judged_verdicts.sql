-- Verdicts on single edits, with the numbers of the texts that they compare and where each is from:
-- taken from gold, where the edited text is a reference letter for letter; else judged, if the
-- manifest says so or the sentence is known; else nobody knows.
with

texts as (

    select * from {{ ref('judged_outputs') }}

),

linked as (

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
    verdicts.judge,
    verdicts.slot,
    verdicts.verdict,
    verdicts.value,
    sources.output_id as source_id,
    edited.output_id as edited_id,
    case
        when edited.is_reference_text then 'taken_from_gold'
        when tasks.provenance = 'judged' or linked.item is not null then 'judged'
        else 'unknown'
    end as provenance

from {{ source('raw', 'edit_verdicts') }} as verdicts
inner join {{ source('raw', 'judgment_tasks') }} as tasks using (judgment_set, task)
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
left join linked
    on
        verdicts.judgment_set = linked.judgment_set
        and verdicts.item = linked.item
