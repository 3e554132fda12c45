-- What metrics that compare two texts read of every step of the chains, each in
-- both orders: as hypothesis the text with one edit more, beside the one without it, and the other
-- way round, so that a metric gains nothing from where a text stands. The other text is kept as a
-- list of one reference, by whose key all scores are cached.
with

steps as (

    select * from {{ ref('comparable_pairs') }}
    where n_edits_between = 1

),

positions as (

    select * from {{ ref('scored_units') }}
    where used_in = 'chain' and experiment = 'origin_source'

),

orders as (

    select unnest([true, false]) as is_upper

),

texts as (

    select
        steps.corpus,
        steps.sentence_id,
        steps.chain_id,
        steps.lower_position,
        steps.upper_position,
        steps.error_type,
        orders.is_upper,
        uppers.source_text_id,
        if(
            orders.is_upper, uppers.hypothesis_text_id, lowers.hypothesis_text_id
        ) as hypothesis_text_id,
        if(orders.is_upper, lowers.hypothesis_text_id, uppers.hypothesis_text_id) as other_text_id

    from steps
    inner join positions as uppers
        on
            steps.chain_id = uppers.chain_id
            and steps.upper_position = uppers.position
    inner join positions as lowers
        on
            steps.chain_id = lowers.chain_id
            and steps.lower_position = lowers.position
    cross join orders

)

select
    *,
    {{ content_key('[other_text_id]::varchar') }} as references_key

from texts
