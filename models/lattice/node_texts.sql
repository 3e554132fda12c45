-- The text of every node that a chain visits or a corpus samples. Edits at equal spans are applied
-- in file order, and in the order of the chain where the published run drew one.
with

nodes as (

    select
        annotation_id,
        node_id,
        mask

    from {{ ref('chain_nodes') }}

    union

    select
        annotation_id,
        node_id,
        mask

    from {{ ref('sampled_corpora') }}

    union

    select
        annotation_id,
        node_id,
        mask

    from {{ ref('sampled_sources') }}

),

annotations as (

    select * from {{ ref('lattice_annotations') }}

),

sentences as (

    select * from {{ ref('stg_corpus__sentences') }}

),

edits as (

    select * from {{ ref('annotation_edits') }}

),

published_orders as (

    select * from {{ ref('lattice_chains') }}
    where mode = 'as_published'

),

units as (

    select
        nodes.node_id as unit_id,
        sentences.tokens

    from nodes
    inner join annotations on nodes.annotation_id = annotations.annotation_id
    inner join sentences
        on
            annotations.corpus = sentences.corpus
            and annotations.sentence_id = sentences.sentence_id

),

applied as (

    select
        nodes.node_id as unit_id,
        edits.start_token,
        edits.end_token,
        edits.correction,
        coalesce(
            list_position(published_orders.permutation, edits.edit_index), edits.edit_index
        ) as application_order

    from nodes
    inner join edits
        on
            nodes.annotation_id = edits.annotation_id
            and nodes.mask & edits.edit_bit > 0
    left join published_orders on nodes.annotation_id = published_orders.annotation_id

),

corrected as (

    {{ corrected_text('units', 'applied') }}

)

select
    nodes.node_id,
    annotations.corpus,
    annotations.mode,
    annotations.sentence_id,
    nodes.annotation_id,
    nodes.mask,
    corrected.text,
    {{ text_key('corrected.text', 'corpora.language') }} as text_id

from nodes
inner join annotations on nodes.annotation_id = annotations.annotation_id
inner join corrected on nodes.node_id = corrected.unit_id
inner join {{ ref('stg_corpus__corpora') }} as corpora on annotations.corpus = corpora.corpus
