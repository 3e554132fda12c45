-- The sets of human judgments that metrics are compared with: those ingested, and those that the
-- variable `combined_judgments` puts together.
with

members as (

    select * from {{ ref('judgment_set_members') }}

),

judgments as (

    select
        members.corpus,
        members.judgment_set,
        judgments.judge,
        judgments.judgment_set as member,
        judgments.item,
        judgments.rank

    from members
    inner join {{ source('raw', 'judgments') }} as judgments
        on
            members.corpus = judgments.corpus
            and members.member = judgments.judgment_set

),

judges as (

    select
        corpus,
        judgment_set,
        count(distinct member || '/' || judge) as n_judges

    from judgments
    group by corpus, judgment_set

),

-- Two systems of one item with the same rank.
ties as (

    select
        corpus,
        judgment_set

    from judgments
    group by corpus, judgment_set
    having count(*) > count(distinct concat_ws('/', member, judge, item, rank))

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

judges_of_tasks as (

    select
        judgment_set,
        task || '/' || judge as judge
    from {{ source('raw', 'ratings') }}
    union
    select
        judgment_set,
        task || '/' || judge as judge
    from {{ source('raw', 'preference_pairs') }}
    union
    select
        judgment_set,
        task || '/' || judge as judge
    from {{ source('raw', 'edit_verdicts') }}
    union
    select
        judgment_set,
        task || '/' || judge as judge
    from {{ source('raw', 'post_edits') }}

),

task_judges as (

    select
        judgment_set,
        count(judge)::integer as n_judges

    from judges_of_tasks
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
    coalesce(judges.n_judges, 0)::integer as n_judges,
    'identified' as judges,
    if(ties.corpus is null, 'no ties', 'ties allowed') as tie_policy,
    sets.title,
    sets.licence,
    null::boolean as may_be_shared

from sets
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
left join judges using (corpus, judgment_set)
left join ties using (corpus, judgment_set)

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
left join task_judges on tasks.judgment_set = task_judges.judgment_set
group by tasks.judgment_set
order by corpus, judgment_set
