-- Pairs that differ in exactly one edit, of each source sentence, by how many of the references
-- that metrics are shown make that edit, and of all together. Random-source experiment.
with

nodes as (

    select * from {{ ref('chain_nodes') }}

),

pairs as (

    select * from {{ ref('comparable_pairs') }}
    where n_edits_between = 1

),

steps as (

    select
        pairs.chain_id,
        pairs.lower_position,
        pairs.upper_position,
        unnest([makers.made_by, null]) as made_by

    from pairs
    inner join nodes as lower_nodes
        on
            pairs.chain_id = lower_nodes.chain_id
            and pairs.lower_position = lower_nodes.position
    inner join nodes as upper_nodes
        on
            pairs.chain_id = upper_nodes.chain_id
            and pairs.upper_position = upper_nodes.position
    inner join {{ ref('edit_makers') }} as makers
        on
            pairs.annotation_id = makers.annotation_id
            and upper_nodes.mask - lower_nodes.mask = makers.edit_bit

),

-- Read from the table, as in scored_pairs.
scored as not materialized (

    select * from {{ ref('scored_pairs') }}
    where experiment = 'random_source' and n_edits_between = 1

)

select
    scored.corpus,
    scored.mode,
    scored.metric,
    steps.made_by,
    scored.sentence_id,
    count(*) as n_pairs,
    {{ outcome_counts('scored.outcome') }}

from scored
inner join steps using (chain_id, lower_position, upper_position)
group by all
