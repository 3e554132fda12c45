-- An annotation of n edits has n! orders. Except in a published run it has chains_per_annotation of
-- them, all if there are fewer, none twice. The published run sampled one; a full lattice counts as
-- one chain. 7! is more than the largest value of the variable.
with

annotations as (

    select * from {{ ref('lattice_annotations') }}

),

chains as (

    select
        annotation_id,
        count(*) as n_chains,
        count(distinct chain_id) as n_names,
        count(distinct permutation) as n_orders,
        max(chain_number) as last_number

    from {{ ref('lattice_chains') }}
    group by all

)

select
    annotations.annotation_id,
    annotations.n_edits,
    annotations.is_in_lattice,
    chains.n_chains,
    chains.n_names,
    chains.n_orders,
    chains.last_number

from annotations
left join chains on annotations.annotation_id = chains.annotation_id
where
    coalesce(chains.n_chains, 0) <> case
        when not annotations.is_in_lattice then 0
        when annotations.is_published_run or '{{ var("lattice") }}' = 'full' then 1
        -- 7! is already more than the variable may ask for.
        else
            least(
                {{ var('chains_per_annotation') }}, gamma(least(annotations.n_edits, 7) + 1)
            )::bigint
    end
    or chains.n_names <> chains.n_chains
    or chains.last_number <> chains.n_chains - 1
    or (chains.n_orders > 0 and chains.n_orders <> chains.n_chains)
