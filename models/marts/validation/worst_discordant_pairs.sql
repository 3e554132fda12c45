-- The pairs in which a metric errs most, with their texts: the five largest drops of its score from
-- a correction to one with more edits, one for each source sentence.
with

pairs as (

    select * from {{ ref('discordant_pairs') }}

),

-- Read twice from the table: DuckDB would make a copy of all texts for a few of them.
nodes as not materialized (

    select * from {{ ref('lattice_nodes') }}

),

scores as (

    select * from {{ ref('node_scores') }}

),

-- Chains of one sentence share nodes, and many a pair drops equally: the first by its key.
worst_of_sentence as (

    select *
    from pairs
    qualify
        row_number() over (
            partition by corpus, mode, experiment, metric, sentence_id
            order by delta, n_edits_between, chain_id, lower_position, upper_position
        ) = 1

),

worst as (

    select
        *,
        row_number() over (
            partition by corpus, mode, experiment, metric
            order by delta, n_edits_between, sentence_id
        ) as place

    from worst_of_sentence
    qualify place <= 5

)

select
    worst.corpus,
    worst.mode,
    worst.experiment,
    worst.metric,
    worst.place,
    worst.sentence_id,
    worst.annotator,
    worst.chain_id,
    worst.lower_position,
    worst.upper_position,
    worst.n_edits_between,
    worst.error_type,
    scores.source_text,
    lower_nodes.text as lower_text,
    upper_nodes.text as upper_text,
    worst.lower_score,
    worst.upper_score,
    worst.delta,
    {{ lattices_from('worst') }}

from worst
inner join nodes as lower_nodes
    on
        worst.corpus = lower_nodes.corpus
        and worst.mode = lower_nodes.mode
        and worst.sentence_id = lower_nodes.sentence_id
        and worst.annotator = lower_nodes.annotator
        and worst.lower_node_id = lower_nodes.node_id
inner join nodes as upper_nodes
    on
        worst.corpus = upper_nodes.corpus
        and worst.mode = upper_nodes.mode
        and worst.sentence_id = upper_nodes.sentence_id
        and worst.annotator = upper_nodes.annotator
        and worst.upper_node_id = upper_nodes.node_id
inner join scores
    on
        worst.corpus = scores.corpus
        and worst.mode = scores.mode
        and worst.experiment = scores.experiment
        and worst.metric = scores.metric
        and worst.chain_id = scores.chain_id
        and worst.upper_position = scores.position
