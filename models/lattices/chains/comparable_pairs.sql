-- Pairs of corrections of which one applies a proper subset of the other's edits: within a chain
-- every pair of positions, in a full lattice every subset pair. The published run counted a pair
-- in every chain it occurs in; the paper counts unique pairs, so its first chain keeps it.
with

positions as (

    select * from {{ ref('chain_nodes') }}

),

chains as (

    select * from {{ ref('lattice_chains') }}

),

chain_pairs as (

    select
        lower_nodes.corpus,
        lower_nodes.sentence_id,
        lower_nodes.annotator,
        lower_nodes.annotation_id,
        lower_nodes.chain_id,
        chains.chain_number,
        lower_nodes.position as lower_position,
        upper_nodes.position as upper_position,
        lower_nodes.node_id as lower_node_id,
        upper_nodes.node_id as upper_node_id,
        upper_nodes.n_edits - lower_nodes.n_edits as n_edits_between,
        -- The last edit applied: its type is credited with the difference.
        upper_nodes.error_type

    from positions as lower_nodes
    inner join positions as upper_nodes
        on
            lower_nodes.chain_id = upper_nodes.chain_id
            and lower_nodes.position < upper_nodes.position
    inner join chains
        on
            lower_nodes.chain_id = chains.chain_id
            and chains.permutation is not null

),
{% if var('lattice') == 'full' %}
halves as (

    select
        lower_half.mask as lower_mask,
        upper_half.mask as upper_mask

    from range(0, {{ 2 ** ((var('full_lattice_max_edits') + 1) // 2) }}) as lower_half (mask)
    inner join range(0, {{ 2 ** ((var('full_lattice_max_edits') + 1) // 2) }}) as upper_half (mask)
        on lower_half.mask & upper_half.mask = lower_half.mask

),

sizes as (

    select distinct n_edits from chains
    where permutation is null

),

-- All pairs of masks (lower, upper) in which lower is a proper subset of upper, for n edits
-- (3^n - 2^n pairs). Two halves are enumerated and cross-joined, which was the fastest way.
templates as materialized (

    select
        sizes.n_edits,
        low.lower_mask | (high.lower_mask << (sizes.n_edits // 2)) as lower_mask,
        low.upper_mask | (high.upper_mask << (sizes.n_edits // 2)) as upper_mask

    from sizes
    inner join halves as low on (1 << (sizes.n_edits // 2)) > low.upper_mask
    inner join halves as high
        on
            (1 << (sizes.n_edits - sizes.n_edits // 2)) > high.upper_mask
            and (low.lower_mask <> low.upper_mask or high.lower_mask <> high.upper_mask)

),

lattice_pairs as (

    select
        chains.corpus,
        chains.sentence_id,
        chains.annotator,
        chains.annotation_id,
        chains.chain_id,
        chains.chain_number,
        templates.lower_mask as lower_position,
        templates.upper_mask as upper_position,
        lower_nodes.node_id as lower_node_id,
        upper_nodes.node_id as upper_node_id,
        upper_nodes.n_edits - lower_nodes.n_edits as n_edits_between,
        edits.error_type

    from chains
    inner join templates
        on
            chains.n_edits = templates.n_edits
            and chains.permutation is null
    inner join positions as lower_nodes
        on
            chains.chain_id = lower_nodes.chain_id
            and templates.lower_mask = lower_nodes.position
    inner join positions as upper_nodes
        on
            chains.chain_id = upper_nodes.chain_id
            and templates.upper_mask = upper_nodes.position
    left join {{ ref('annotation_edits') }} as edits
        on
            chains.annotation_id = edits.annotation_id
            and templates.upper_mask - templates.lower_mask = edits.edit_bit

),
{% endif %}
pairs as (

    select * from chain_pairs
    {% if var('lattice') == 'full' %}
    union all by name
    select * from lattice_pairs
    {% endif %}

)

select * from pairs
qualify
    row_number() over (
        partition by annotation_id, lower_node_id, upper_node_id order by chain_number
    ) = 1
    {% if var('replication') %}
        or {{ is_published_run('corpus') }}
    {% endif %}
