-- What a judge said about two outputs on the screen: systems with the same output stood there once.
with

cells as (

    select
        corpus,
        judgment_set,
        judge,
        item,
        sentence_id,
        cell,
        min(rank) as rank,
        string_agg(system, ' ' order by system) as output

    from {{ ref('usable_judgments') }}
    group by all

)

select
    first.corpus,
    first.judgment_set,
    first.judge,
    first.item,
    concat_ws(' / ', first.sentence_id, first.output, second.output) as output_pair,
    sign(second.rank - first.rank)::tinyint as preference

from cells as first
inner join cells as second
    on
        first.corpus = second.corpus
        and first.judgment_set = second.judgment_set
        and first.judge = second.judge
        and first.item = second.item
        and first.output < second.output
