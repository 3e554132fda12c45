-- Pairs in which a metric scores the better correction lower. The texts are in lattice_nodes.
with

pairs as (

    select * from {{ ref('scored_pairs') }}
    where outcome = 'discordant'

),

directions as (

    select distinct
        metric,
        direction

    from {{ ref('metric_registry') }}

)

select
    pairs.corpus,
    pairs.experiment,
    pairs.metric,
    pairs.sentence_id,
    pairs.annotator,
    pairs.chain_id,
    pairs.lower_position,
    pairs.upper_position,
    pairs.lower_node_id,
    pairs.upper_node_id,
    pairs.n_edits_between,
    if(pairs.n_edits_between = 1, pairs.error_type, null) as error_type,
    directions.direction * pairs.lower_score as lower_score,
    directions.direction * pairs.upper_score as upper_score,
    pairs.delta,
    -- Many pairs fall by the same amount: those with fewer edits are easier to read.
    (row_number() over (
        partition by pairs.corpus, pairs.experiment, pairs.metric
        order by
            pairs.delta,
            pairs.n_edits_between,
            pairs.sentence_id,
            pairs.chain_id,
            pairs.lower_position,
            pairs.upper_position
    ))::integer as badness_rank

from pairs
inner join directions using (metric)
order by
    pairs.corpus,
    pairs.experiment,
    pairs.sentence_id,
    pairs.chain_id,
    pairs.lower_position,
    pairs.upper_position,
    pairs.metric
