-- Every judgment as preferences between two outputs: for a ranking all pairs of its cells; for
-- ratings the sign of their difference, if one judge rated two outputs of an item for one aspect;
-- for an edit verdict the edited text and the source; for a post-edit the edited text and the
-- output.
with

cells as (

    select
        corpus,
        judgment_set,
        judge,
        item,
        cell,
        min(rank) as rank,
        string_agg(system, ' ' order by system) as output

    from {{ ref('usable_judgments') }}
    group by corpus, judgment_set, judge, item, cell

),

values_of_outputs as (

    select
        ratings.judgment_set,
        ratings.task,
        ratings.aspect,
        ratings.judge,
        ratings.item,
        ratings.output_id,
        avg(if(aspects.higher_is_better, ratings.value, -ratings.value)) as value

    from {{ source('raw', 'ratings') }} as ratings
    inner join {{ source('raw', 'task_aspects') }} as aspects using (judgment_set, task, aspect)
    inner join {{ source('raw', 'judgment_tasks') }} as tasks using (judgment_set, task)
    where tasks.judges in ('identified', 'single', 'averaged')
    group by all

),

pairs as (

    select
        first.corpus,
        first.judgment_set,
        first.judgment_set as task,
        'ranking' as derived_from,
        first.judge,
        first.item,
        first.output as output_a,
        second.output as output_b,
        sign(second.rank - first.rank)::integer as preference,
        (second.rank - first.rank)::double as margin

    from cells as first
    inner join cells as second
        on
            first.corpus = second.corpus
            and first.judgment_set = second.judgment_set
            and first.judge = second.judge
            and first.item = second.item
            and first.output < second.output

    union all by name

    select
        first.judgment_set,
        first.task,
        'rating' as derived_from,
        first.aspect,
        first.judge,
        first.item,
        first.output_id::varchar as output_a,
        second.output_id::varchar as output_b,
        sign(first.value - second.value)::integer as preference,
        first.value - second.value as margin

    from values_of_outputs as first
    inner join values_of_outputs as second
        on
            first.judgment_set = second.judgment_set
            and first.task = second.task
            and first.aspect = second.aspect
            and first.item = second.item
            and coalesce(first.judge, '') = coalesce(second.judge, '')
            and first.output_id < second.output_id

    union all by name

    select
        judgment_set,
        task,
        'pair' as derived_from,
        aspect,
        judge,
        item,
        output_a::varchar as output_a,
        output_b::varchar as output_b,
        preference
    from {{ source('raw', 'preference_pairs') }}

    union all by name

    select
        judgment_set,
        task,
        'edit_verdict' as derived_from,
        judge,
        item,
        output_id::varchar as output_a,
        source_output_id::varchar as output_b,
        sign(value)::integer as preference,
        value as margin
    from {{ ref('edit_verdicts') }}
    where output_id is not null and source_output_id is not null

    union all by name

    select
        judgment_set,
        task,
        'post_edit' as derived_from,
        judge,
        item,
        edited_id::varchar as output_a,
        output_id::varchar as output_b,
        if(edited_id = output_id, 0, 1) as preference
    from {{ source('raw', 'post_edits') }}

)

select
    corpus,
    judgment_set,
    task,
    derived_from,
    aspect,
    judge,
    item,
    row_number() over (
        partition by corpus, judgment_set, task, aspect, judge, item
        order by output_a, output_b, preference
    )::integer as pair,
    output_a,
    output_b,
    preference,
    margin,
    (
        count(*) over (partition by corpus, judgment_set, task, aspect, judge, item)
    )::integer as n_dependent

from pairs
