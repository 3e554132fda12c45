-- Comparable pairs of a full lattice of n edits, shared by all annotations of that size: masks
-- lower, upper with lower a proper subset of upper (3^n - 2^n pairs). Two halves are enumerated
-- and cross-joined, the fastest way measured.
with

sizes as (

    select distinct n_edits from {{ ref('lattice_chains') }}
    where permutation is null

),

halves as (

    select
        lower_half.mask as lower_mask,
        upper_half.mask as upper_mask

    from range(0, {{ 2 ** ((var('full_lattice_max_edits') + 1) // 2) }}) as lower_half (mask)
    inner join range(0, {{ 2 ** ((var('full_lattice_max_edits') + 1) // 2) }}) as upper_half (mask)
        on lower_half.mask & upper_half.mask = lower_half.mask

)

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
