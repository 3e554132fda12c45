-- Judgment tasks: the question, the number of judgments, and the agreement that can be computed.
with

counts as (

    select
        judgment_set,
        task,
        count(distinct item)::integer as n_items,
        count(*)::integer as n_judgments,
        count(distinct judge)::integer as n_judges

    from {{ task_judgments() }}
    group by judgment_set, task

)

select
    tasks.judgment_set,
    tasks.task,
    tasks.kind,
    tasks.asked_of,
    tasks.unit,
    tasks.judges,
    case
        when tasks.judges = 'identified' then 'by judge'
        when tasks.judges in ('positional', 'bag') then 'one against the rest'
        else 'none'
    end as agreement,
    tasks.language,
    tasks.link,
    tasks.protocol,
    counts.n_items,
    counts.n_judgments,
    counts.n_judges,
    tasks.path

from {{ source('raw', 'judgment_tasks') }} as tasks
inner join counts using (judgment_set, task)
