-- All pairs of a chain are comparable: n edits have n + 1 positions and n (n + 1) / 2 pairs, each
-- from a mask to a proper superset. Except in a published run, later chains of an annotation omit
-- the pairs of earlier ones. A full lattice of n edits has 3^n - 2^n pairs.
with

chains as (

    select * from {{ ref('lattice_chains') }}

),

pairs as (

    select
        chain_id,
        count(*) as n_pairs,
        count(distinct lower_position * (1::hugeint << 63) + upper_position) as n_distinct,
        count(*) filter (where lower_position = 0) as n_from_original,
        min(n_edits_between) as fewest_edits_between

    from {{ ref('comparable_pairs') }}
    group by all

),

expected as (

    select
        chains.chain_id,
        {{ is_published_run('chains.corpus') }} or chains.chain_number = 0 as is_first,
        if(
            chains.permutation is null,
            (3 ^ chains.n_edits - 2 ^ chains.n_edits)::bigint,
            chains.n_edits * (chains.n_edits + 1) // 2
        ) as n_pairs,
        if(
            chains.permutation is null, (1::bigint << chains.n_edits) - 1, chains.n_edits
        ) as n_from_original

    from chains

)

select
    expected.chain_id,
    expected.n_pairs as expected_pairs,
    pairs.n_pairs,
    pairs.n_distinct,
    pairs.n_from_original,
    pairs.fewest_edits_between

from expected
left join pairs on expected.chain_id = pairs.chain_id
where
    coalesce(pairs.n_pairs, 0) > expected.n_pairs
    or (expected.is_first and pairs.n_pairs is distinct from expected.n_pairs)
    or (expected.is_first and pairs.n_from_original is distinct from expected.n_from_original)
    or pairs.n_distinct <> pairs.n_pairs
    or pairs.fewest_edits_between < 1
