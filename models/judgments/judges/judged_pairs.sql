-- A judge's preference between two outputs of a sentence: one row per item and pair of its systems,
-- in alphabetical order. Systems with the same output were shown as one, so their tie was not
-- judged.
with

judgments as (

    select * from {{ ref('usable_judgments') }}

)

select
    judgment_sets.corpus,
    judgment_sets.judgment_set,
    first.judgment_set as member,
    first.judge,
    first.item,
    first.sentence_id,
    first.system as system_a,
    second.system as system_b,
    first.cell as cell_a,
    second.cell as cell_b,
    sign(second.rank - first.rank)::tinyint as preference,
    first.cell = second.cell as is_same_output

from {{ ref('judgment_set_members') }} as judgment_sets
inner join judgments as first
    on
        judgment_sets.corpus = first.corpus
        and judgment_sets.member = first.judgment_set
inner join judgments as second
    on
        first.corpus = second.corpus
        and first.judgment_set = second.judgment_set
        and first.judge = second.judge
        and first.item = second.item
        and first.system < second.system
