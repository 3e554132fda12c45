-- The gold edits for comparison with the edits of system outputs: with ERRANT's types in languages
-- with ERRANT's rules.
with

wanted as (

    select distinct matched_gold_key as gold_key from {{ ref('system_inputs') }}

),

gold_lists as (

    select distinct
        gold_key,
        annotations

    from {{ ref('gold_lists') }}

),

annotations as (

    select
        gold_lists.gold_key,
        generate_subscripts(gold_lists.annotations, 1) - 1 as position,
        unnest(gold_lists.annotations) as annotation

    from gold_lists
    inner join wanted using (gold_key)

)

{{ edits_of_annotations('annotations', ['gold_key', 'position']) }}
