-- Mode `paper`: chains_per_annotation orders of each annotation's edits, uniform and without
-- repetition, all orders where there are fewer. One row per chain.
{% set chains = var('chains_per_annotation') | int %}
{% if chains < 1 or chains > 1000 %}
    {{ exceptions.raise_compiler_error(
        "chains_per_annotation is " ~ chains ~ "; it can be 1 to 1000. Set it in dbt_project.yml "
        "or with --vars."
    ) }}
{% endif %}

with

annotations as (

    select * from {{ ref('lattice_annotations') }}
    where mode = 'paper' and is_in_lattice

),

edits as (

    select * from {{ ref('annotation_edits') }}
    where mode = 'paper'

),

templates as (

    select * from {{ ref('permutation_template') }}

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

    from annotations
    inner join templates on annotations.n_edits = templates.n_edits

),

-- More: at least 5040 orders, so among twice as many shuffles as chains enough differ.
shuffled_edits as (

    select
        annotations.annotation_id,
        attempts.attempt,
        edits.edit_index,
        {{ uniform('chain', [
            'annotations.corpus', 'annotations.sentence_id', 'annotations.annotator',
            'attempts.attempt', 'edits.edit_index'
        ]) }} as draw

    from annotations
    inner join edits on annotations.annotation_id = edits.annotation_id
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

orders as (

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

)

select
    annotation_id,
    place::integer as chain_number,
    permutation

from orders
where place < {{ chains }}
