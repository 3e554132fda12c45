-- The inputs of metrics that compare two texts, for every step of the chains in both orders: once
-- with the corrected text as the hypothesis, once with the other text, so that position bias
-- cancels out. The other text is stored as a list of one reference, and its key is part of the
-- cache key.
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
