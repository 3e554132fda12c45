-- What metrics read for every node of the lattices by which corpora are compared, and for the
-- corrupted nodes beside them, each with the references that are compared. Original as the source.
with

sources as (

    select
        sentences.corpus,
        sentences.sentence_id,
        {{ text_key("array_to_string(sentences.tokens, ' ')", 'sentences.language') }}
            as source_text_id,
        coalesce(output_lists.outputs_key, 0) as outputs_key

    from {{ ref('usable_sentences') }} as sentences
    left join {{ ref('output_lists') }} as output_lists
        on
            sentences.corpus = output_lists.corpus
            and sentences.sentence_id = output_lists.sentence_id
            and output_lists.edit_set is null

),

corrupted as (

    select
        nodes.annotation_id,
        nodes.mask,
        edits.edit_index as corrupted_edit,
        corrupted_nodes.text_id

    from {{ ref('corrupted_nodes') }} as corrupted_nodes
    inner join {{ ref('chain_nodes') }} as nodes
        on
            corrupted_nodes.chain_id = nodes.chain_id
            and corrupted_nodes.upper_position = nodes.position
    inner join {{ ref('corrupted_steps') }} as edits
        on corrupted_nodes.step_id = edits.step_id
    where corrupted_nodes.mode = 'paper'

),

nodes as (

    select
        annotation_id,
        mask,
        null::integer as corrupted_edit,
        text_id
    from {{ ref('node_texts') }}
    where mode = 'paper'
    union
    select * from corrupted

),

triples as (

    select
        shown.corpus,
        shown.references_mode,
        shown.sentence_id,
        shown.annotation_id,
        nodes.mask,
        nodes.corrupted_edit,
        sources.source_text_id,
        nodes.text_id as hypothesis_text_id,
        shown.references_key,
        sources.outputs_key,
        shown.has_edit_metrics

    from {{ ref('compared_references') }} as shown
    inner join {{ ref('compared_lattices') }} as lattices using (annotation_id)
    inner join nodes on shown.annotation_id = nodes.annotation_id
    inner join sources
        on
            shown.corpus = sources.corpus
            and shown.sentence_id = sources.sentence_id

)

select
    *,
    {{ pair_key([
        'source_text_id', 'hypothesis_text_id', 'references_key', '0', '0', '0',
        'outputs_key'
    ]) }} as pair_id

from triples
