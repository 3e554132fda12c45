-- The sets of human judgments that metrics are compared with: ingested sets, and sets that the
-- variable `combined_judgments` combines.
with

members as (

    select * from {{ ref('judgment_set_members') }}

),

-- Ties are allowed if two systems of one item have the same rank.
rankings as (

    select
        members.corpus,
        members.judgment_set,
        count(distinct members.member || '/' || judgments.judge) as n_judges,
        count(*) > count(distinct concat_ws(
            '/', members.member, judgments.judge, judgments.item, judgments.rank
        )) as has_ties

    from members
    inner join {{ source('raw', 'judgments') }} as judgments
        on
            members.corpus = judgments.corpus
            and members.member = judgments.judgment_set
    group by members.corpus, members.judgment_set

),

sets as (

    select
        members.corpus,
        members.judgment_set,
        string_agg(distinct ingested.title, '; ' order by ingested.title) as title,
        string_agg(distinct ingested.licence, '; ' order by ingested.licence) as licence

    from members
    inner join {{ source('raw', 'judgment_sets') }} as ingested
        on
            members.corpus = ingested.corpus
            and members.member = ingested.judgment_set
    group by members.corpus, members.judgment_set

),

task_aspects as (

    select
        judgment_set,
        string_agg(distinct aspect, ', ' order by aspect) as aspects

    from {{ source('raw', 'task_aspects') }}
    group by judgment_set

),

task_judges as (

    select
        judgment_set,
        count(distinct task || '/' || judge)::integer as n_judges

    from {{ task_judgments() }}
    group by judgment_set

)

select
    sets.judgment_set,
    sets.corpus,
    'ranking' as kind,
    'sentence' as unit,
    'correction' as task,
    corpora.language,
    'overall' as aspects,
    coalesce(rankings.n_judges, 0)::integer as n_judges,
    'identified' as judges,
    if(rankings.has_ties, 'ties allowed', 'no ties') as tie_policy,
    sets.title,
    sets.licence,
    null::boolean as may_be_shared

from sets
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
left join rankings using (corpus, judgment_set)

union all

select
    tasks.judgment_set,
    null as corpus,
    string_agg(distinct tasks.kind, ', ' order by tasks.kind) as kind,
    string_agg(distinct tasks.unit, ', ' order by tasks.unit) as unit,
    any_value(tasks.asked_of) as task,
    string_agg(distinct tasks.language, ', ' order by tasks.language) as language,
    coalesce(any_value(task_aspects.aspects), 'overall') as aspects,
    coalesce(any_value(task_judges.n_judges), 0) as n_judges,
    string_agg(distinct tasks.judges, ', ' order by tasks.judges) as judges,
    'ties allowed' as tie_policy,
    any_value(tasks.title) as title,
    any_value(tasks.licence) as licence,
    bool_and(tasks.may_be_shared) as may_be_shared

from {{ source('raw', 'judgment_tasks') }} as tasks
left join task_aspects using (judgment_set)
left join task_judges using (judgment_set)
group by tasks.judgment_set
order by corpus, judgment_set
