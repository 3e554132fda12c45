-- What metrics read for every position of every chain, in both experiments: the chain's random
-- node or its original as the source, the position's node as the hypothesis.
with

positions as (

    select * from {{ ref('chain_nodes') }}

),

chains as (

    select * from {{ ref('lattice_chains') }}

),

node_texts as (

    select * from {{ ref('node_texts') }}

),

output_lists as (

    select * from {{ ref('output_lists') }}
    where edit_set is null

),

sources as (

    select
        chain_id,
        'random_source' as experiment,
        source_position

    from chains

    union all

    select
        chain_id,
        'origin_source' as experiment,
        0 as source_position

    from chains

),

triples as (

    select
        positions.corpus,
        positions.mode,
        sources.experiment,
        positions.sentence_id,
        positions.chain_id,
        positions.position,
        positions.node_id,
        source_nodes.node_id as source_node_id,
        source_texts.text_id as source_text_id,
        hypothesis_texts.text_id as hypothesis_text_id,
        reference_lists.references_key,
        coalesce(output_lists.outputs_key, 0) as outputs_key

    from positions
    inner join sources using (chain_id)
    inner join positions as source_nodes
        on
            sources.chain_id = source_nodes.chain_id
            and sources.source_position = source_nodes.position
    inner join node_texts as source_texts on source_nodes.node_id = source_texts.node_id
    inner join node_texts as hypothesis_texts on positions.node_id = hypothesis_texts.node_id
    inner join {{ source('raw', 'lattices') }} as lattices
        on
            positions.corpus = lattices.corpus
            and positions.mode = lattices.mode
    inner join {{ ref('reference_lists') }} as reference_lists
        on
            lattices.corpus = reference_lists.corpus
            and lattices.reference_set = reference_lists.reference_set
            and positions.sentence_id = reference_lists.sentence_id
    left join output_lists
        on
            positions.corpus = output_lists.corpus
            and positions.sentence_id = output_lists.sentence_id

)

select
    *,
    {{ pair_key([
        'source_text_id', 'hypothesis_text_id', 'references_key', '0', '0', '0',
        'outputs_key'
    ]) }} as pair_id

from triples
