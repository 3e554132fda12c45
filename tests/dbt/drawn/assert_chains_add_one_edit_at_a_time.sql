-- A chain runs from the original to the full correction and applies one more edit at every
-- position, so that n edits make n + 1 positions; a full lattice visits each of the 2^n masks once.
with

chains as (

    select * from {{ ref('lattice_chains') }}

),

positions as (

    select
        *,
        mask - coalesce(lag(mask) over chain, 0) as added_bit

    from {{ ref('chain_nodes') }}
    window chain as (partition by chain_id order by position)

),

counted as (

    select
        chain_id,
        count(*) as n_positions,
        count(distinct mask) as n_masks,
        min(position) as first_position,
        max(position) as last_position,
        max(mask) as last_mask,
        count(*) filter (where n_edits <> bit_count(mask)) as n_miscounted,
        count(*) filter (
            where n_edits <> position or added_bit <> coalesce(1::bigint << edit_index, 0)
        ) as n_jumps

    from positions
    group by all

)

select
    chains.chain_id,
    chains.n_edits,
    chains.source_position,
    counted.n_positions,
    counted.n_masks,
    counted.first_position,
    counted.last_position,
    counted.last_mask,
    counted.n_miscounted,
    counted.n_jumps

from chains
left join counted on chains.chain_id = counted.chain_id
where
    counted.n_positions is distinct from if(
        chains.permutation is null, 1::bigint << chains.n_edits, chains.n_edits + 1
    )
    or counted.n_masks <> counted.n_positions
    or counted.first_position <> 0
    or counted.last_position <> counted.n_positions - 1
    or counted.last_mask <> (1::bigint << chains.n_edits) - 1
    or counted.n_miscounted > 0
    or (chains.permutation is not null and counted.n_jumps > 0)
    or chains.source_position not between 0 and counted.last_position
