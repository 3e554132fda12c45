-- Pairs in which a metric scores the better correction lower. The texts are in lattice_nodes.
with

pairs as (

    select * from {{ ref('scored_pairs') }}
    where outcome = 'discordant'

)

select
    corpus,
    mode,
    experiment,
    metric,
    sentence_id,
    annotator,
    chain_id,
    lower_position,
    upper_position,
    lower_node_id,
    upper_node_id,
    n_edits_between,
    if(n_edits_between = 1, error_type, null) as error_type,
    lower_score,
    upper_score,
    delta

from pairs
