-- The text of every node in a chain or a sampled corpus, and of all nodes of the lattices that
-- compare corpora. Edits at equal spans are applied in file order, or in the order of the chain if
-- the published run sampled one.
with

compared as (

    select
        annotation_id,
        unnest(range(1::bigint << n_edits)) as mask

    from {{ ref('compared_lattices') }}

),

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

    union

    select
        annotation_id,
        {{ natural_key(['annotation_id', 'mask']) }} as node_id,
        mask

    from compared

),

edits as (

    select * from {{ ref('annotation_edits') }}

),

{% if var('replication') %}
    published_orders as (

        select * from {{ ref('lattice_chains') }}
        where {{ is_published_run('corpus') }}

    ),

{% endif %}
annotation_edit_lists as (

    {{ annotation_edit_lists('edits', 'published_orders') }}

),

applied as (

    select
        nodes.*,
        annotations.corpus,
        annotations.sentence_id,
        sentences.tokens,
        list_filter(
            coalesce(annotation_edit_lists.edits, []),
            lambda edit: nodes.mask & edit['edit_bit'] > 0  -- noqa: RF02
        ) as edits

    from nodes
    inner join {{ ref('lattice_annotations') }} as annotations
        on nodes.annotation_id = annotations.annotation_id
    inner join {{ ref('usable_sentences') }} as sentences using (corpus, sentence_id)
    left join annotation_edit_lists
        on nodes.annotation_id = annotation_edit_lists.annotation_id

),

corrected as (

    select
        *,
        {{ corrected_text('tokens', 'edits') }} as text

    from applied

)

select
    corrected.node_id,
    corrected.corpus,
    corrected.sentence_id,
    corrected.annotation_id,
    corrected.mask,
    corrected.text,
    {{ text_key('corrected.text', 'corpora.language') }} as text_id

from corrected
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
