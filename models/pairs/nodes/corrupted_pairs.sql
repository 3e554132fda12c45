-- What metrics read for every corrupted node: that of its valid node, with the original as the
-- source. A random node of the chain would hold the right correction in half of the cases, and
-- likeness to the source would find it.
with

corrupted_nodes as (

    select * from {{ ref('corrupted_nodes') }}

),

valid_pairs as (

    select * from {{ ref('chain_pairs') }}
    where experiment = 'origin_source'

)

select
    corrupted_nodes.corpus,
    corrupted_nodes.mode,
    valid_pairs.experiment,
    corrupted_nodes.sentence_id,
    corrupted_nodes.chain_id,
    corrupted_nodes.corrupted_node_id,
    valid_pairs.pair_id as valid_pair_id,
    valid_pairs.source_text_id,
    corrupted_nodes.text_id as hypothesis_text_id,
    valid_pairs.references_key,
    valid_pairs.outputs_key,
    {{ pair_key([
        'valid_pairs.source_text_id', 'corrupted_nodes.text_id', 'valid_pairs.references_key',
        '0', '0', '0', 'valid_pairs.outputs_key'
    ]) }} as pair_id

from corrupted_nodes
inner join valid_pairs
    on
        corrupted_nodes.chain_id = valid_pairs.chain_id
        and corrupted_nodes.upper_position = valid_pairs.position
