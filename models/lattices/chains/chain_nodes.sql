-- The nodes that each chain visits, from the original (position 0) to the perfect correction.
with

chains as (

    select * from {{ ref('lattice_chains') }}

),

originals as (

    select
        chain_id,
        annotation_id,
        0::bigint as position,
        null::integer as edit_index,
        0::bigint as mask,
        n_edits

    from chains
    where permutation is not null

),

steps as (

    select
        chain_id,
        annotation_id,
        generate_subscripts(permutation, 1) as position,
        unnest(permutation) as edit_index,
        n_edits

    from chains
    where permutation is not null

),

corrected as (

    select
        chain_id,
        annotation_id,
        position,
        edit_index,
        (sum(1::bigint << edit_index) over (
            partition by chain_id
            order by position
            rows between unbounded preceding and current row
        ))::bigint as mask,
        n_edits

    from steps

),

-- A full lattice: every mask is a position.
full_lattices as (

    select
        chain_id,
        annotation_id,
        unnest(range(1::bigint << n_edits)) as position,
        null::integer as edit_index,
        unnest(range(1::bigint << n_edits)) as mask,
        n_edits

    from chains
    where permutation is null

),

positions as (

    select * from originals
    union all by name
    select * from corrected
    union all by name
    select * from full_lattices

)

select
    chains.corpus,
    chains.sentence_id,
    chains.annotator,
    positions.annotation_id,
    positions.chain_id,
    positions.position,
    positions.mask,
    {{ natural_key(['positions.annotation_id', 'positions.mask']) }} as node_id,
    bit_count(positions.mask)::integer as n_edits,
    positions.edit_index,
    edits.error_type

from positions
inner join chains using (chain_id)
left join {{ ref('annotation_edits') }} as edits
    on
        positions.annotation_id = edits.annotation_id
        and positions.edit_index = edits.edit_index
