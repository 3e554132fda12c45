-- Chains of both modes: an order of one annotation's edits, and the position chosen as the source
-- of the random-source experiment. In a full lattice the one "chain" of an annotation is the whole
-- lattice, its permutation is null and its positions are masks.
with

annotations as (

    select * from {{ ref('lattice_annotations') }}
    where is_in_lattice

),

orders as (

    {% if var('lattice') == 'full' %}
    select
        annotation_id,
        0 as chain_number,
        null::integer[] as permutation,
        null::bigint as source_position

    from annotations
    where mode = 'paper'
    {% else %}
        select
            annotation_id,
            chain_number,
            permutation,
            null::bigint as source_position

        from {{ ref('sampled_chains') }}
    {% endif %}

    union all

    select
        annotation_id,
        chain_number,
        permutation,
        source_position

    from {{ ref('published_chains') }}

)

select
    annotations.corpus,
    annotations.mode,
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
