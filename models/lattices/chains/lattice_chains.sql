-- Chains: an order of one annotation's edits, and the position that is the source in the
-- random-source experiment. A full lattice has one "chain" per annotation: its permutation is NULL
-- and its positions are masks.
{% set chains = var('chains_per_annotation') | int %}
{% if chains < 1 or chains > 1000 %}
    {{ exceptions.raise_compiler_error(
        "chains_per_annotation is " ~ chains ~ "; it can be 1 to 1000. Set it in dbt_project.yml "
        "or with --vars."
    ) }}
{% endif %}
with recursive

annotations as (

    select * from {{ ref('lattice_annotations') }}
    where is_in_lattice

),

-- Corpora whose chains are sampled here.
drawn_annotations as (

    select * from annotations
    where not is_published_run

),

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

),

-- Every order of up to six edits (873 rows), so that small lattices are sampled without repetition
-- by sorting their orders, not by trying until enough differ.
templates as (

    select
        n_edits,
        permutation

    from permutations
    where len(permutation) = n_edits

),

-- Up to six edits: all orders, shuffled.
enumerated as (

    select
        annotations.annotation_id,
        templates.permutation,
        {{ uniform('chain', [
            'annotations.corpus', 'annotations.sentence_id', 'annotations.annotator',
            'templates.permutation::varchar'
        ]) }} as draw

    from drawn_annotations as annotations
    inner join templates using (n_edits)

),

-- More edits: at least 5040 orders, so 2n shuffles contain n distinct ones.
shuffled_edits as (

    select
        annotations.annotation_id,
        attempts.attempt,
        sampled_edits.edit_index,
        {{ uniform('chain', [
            'annotations.corpus', 'annotations.sentence_id', 'annotations.annotator',
            'attempts.attempt', 'sampled_edits.edit_index'
        ]) }} as draw

    from drawn_annotations as annotations
    inner join {{ ref('annotation_edits') }} as sampled_edits using (annotation_id)
    cross join range(0, {{ 2 * chains + 20 }}) as attempts (attempt)
    where annotations.n_edits > 6

),

shuffles as (

    select
        annotation_id,
        attempt,
        list(edit_index order by draw, edit_index) as permutation

    from shuffled_edits
    group by all

),

sampled_orders as (

    select
        annotation_id,
        permutation,
        row_number() over (partition by annotation_id order by draw, permutation) - 1 as place

    from enumerated

    union all

    select
        annotation_id,
        permutation,
        row_number() over (partition by annotation_id order by min(attempt)) - 1 as place

    from shuffles
    group by annotation_id, permutation

),

-- chains_per_annotation orders of each annotation's edits, uniform and without
-- repetition, all orders where there are fewer. One row per chain.
sampled_chains as (

    select
        annotation_id,
        place::integer as chain_number,
        permutation

    from sampled_orders
    where place < {{ chains }}

),

orders as (

    {% if var('lattice') == 'full' %}
    select
        annotation_id,
        0 as chain_number,
        null::integer[] as permutation,
        null::bigint as source_position

    from drawn_annotations
    {% else %}
        select
            annotation_id,
            chain_number,
            permutation,
            null::bigint as source_position

        from sampled_chains
    {% endif %}
    {% if var('replication') %}
        union all

        select
            annotation_id,
            chain_number,
            permutation,
            source_position

        from {{ ref('published_chains') }}
    {% endif %}

)

select
    annotations.corpus,
    annotations.sentence_id,
    annotations.annotator,
    annotations.annotation_id,
    {{ natural_key(['orders.annotation_id', 'orders.chain_number']) }} as chain_id,
    orders.chain_number,
    orders.permutation,
    annotations.n_edits,
    coalesce(
        orders.source_position,
        floor(
            {{ uniform('source', [
                'annotations.corpus', 'annotations.sentence_id', 'annotations.annotator',
                'orders.chain_number'
            ]) }}
            * if(
                orders.permutation is null,
                (1::bigint << annotations.n_edits),
                annotations.n_edits + 1
            )
        )::bigint
    ) as source_position

from annotations
inner join orders on annotations.annotation_id = orders.annotation_id
