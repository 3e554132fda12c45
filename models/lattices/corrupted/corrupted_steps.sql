-- The steps that get corrupted nodes: comparable pairs that differ in one edit, with the edit and
-- the number of nodes to create. If `corrupted_edits` is not an integer, it is rounded at random
-- for each step: 0.25 creates one node for a quarter of them.
{% set corrupted = var('corrupted_edits') | float %}
{% if corrupted < 0 or corrupted > 100 %}
    {{ exceptions.raise_compiler_error(
        "corrupted_edits is " ~ corrupted ~ "; it can be 0 to 100. Set it in dbt_project.yml or with "
        ~ "--vars."
    ) }}
{% endif %}

with

pairs as (

    select * from {{ ref('comparable_pairs') }}
    where n_edits_between = 1

),

nodes as (

    select * from {{ ref('chain_nodes') }}

),

steps as (

    select
        {{ natural_key([
            'pairs.chain_id', 'pairs.lower_position', 'pairs.upper_position'
        ]) }} as step_id,
        pairs.corpus,
        pairs.sentence_id,
        pairs.annotator,
        pairs.annotation_id,
        pairs.chain_id,
        pairs.lower_position,
        pairs.upper_position,
        pairs.upper_node_id as valid_node_id,
        lower_nodes.mask as lower_mask,
        upper_nodes.mask as upper_mask,
        edits.edit_index,
        edits.start_token,
        edits.end_token,
        edits.error_type,
        edits.correction,
        case
            when edits.start_token = edits.end_token then 'insertion'
            when edits.correction = '' then 'deletion'
            else 'replacement'
        end as edit_kind

    from pairs
    inner join nodes as lower_nodes
        on
            pairs.chain_id = lower_nodes.chain_id
            and pairs.lower_position = lower_nodes.position
    inner join nodes as upper_nodes
        on
            pairs.chain_id = upper_nodes.chain_id
            and pairs.upper_position = upper_nodes.position
    inner join {{ ref('annotation_edits') }} as edits
        on
            pairs.annotation_id = edits.annotation_id
            and upper_nodes.mask - lower_nodes.mask = edits.edit_bit

),

drawn as (

    select
        *,
        floor({{ corrupted }} + {{ uniform('invalid steps', [
            'corpus', 'sentence_id', 'annotator', 'lower_mask', 'edit_index'
        ]) }})::integer as n_corrupted

    from steps

)

select * from drawn
where n_corrupted > 0
