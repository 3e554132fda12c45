-- Every order of up to six edits (873 rows), so that small lattices are sampled without repetition
-- by sorting their orders, not by trying until enough differ.
with recursive

permutations as (

    select
        unnest(range(1, 7))::integer as n_edits,
        []::integer[] as permutation

    union all

    select
        permutations.n_edits,
        list_append(permutations.permutation, candidates.edit_index::integer) as permutation

    from permutations
    inner join range(0, 6) as candidates (edit_index)
        on
            permutations.n_edits > candidates.edit_index
            and not list_contains(permutations.permutation, candidates.edit_index::integer)
    where len(permutations.permutation) < permutations.n_edits

)

select
    n_edits,
    permutation

from permutations
where len(permutation) = n_edits
