-- What metrics read for every invalid twin: that of its valid node, with the original as the
-- source. A random node of the chain would hold the right correction in half of the cases, and
-- likeness to the source would find it.
with

invalid_nodes as (

    select * from {{ ref('invalid_nodes') }}

),

valid_pairs as (

    select * from {{ ref('chain_pairs') }}
    where experiment = 'origin_source'

)

select
    invalid_nodes.corpus,
    invalid_nodes.mode,
    valid_pairs.experiment,
    invalid_nodes.sentence_id,
    invalid_nodes.chain_id,
    invalid_nodes.invalid_node_id,
    valid_pairs.pair_id as valid_pair_id,
    valid_pairs.source_text_id,
    invalid_nodes.text_id as hypothesis_text_id,
    valid_pairs.references_key,
    valid_pairs.outputs_key,
    {{ pair_key([
        'valid_pairs.source_text_id', 'invalid_nodes.text_id', 'valid_pairs.references_key',
        '0', '0', '0', 'valid_pairs.outputs_key'
    ]) }} as pair_id

from invalid_nodes
inner join valid_pairs
    on
        invalid_nodes.chain_id = valid_pairs.chain_id
        and invalid_nodes.upper_position = valid_pairs.position
