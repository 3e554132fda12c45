-- Every comparable pair with both scores of every metric: the input of tau and of the deltas by
-- error type.
with

-- The table is read twice: DuckDB would copy all scores, and spill the copy for large corpora.
scores as not materialized (

    select * from {{ ref('chain_scores') }}

)

select
    pairs.corpus,
    lower_scores.experiment,
    lower_scores.metric,
    pairs.sentence_id,
    pairs.annotator,
    pairs.chain_id,
    pairs.lower_position,
    pairs.upper_position,
    pairs.lower_node_id,
    pairs.upper_node_id,
    pairs.n_edits_between,
    pairs.error_type,
    lower_scores.source_text_id,
    lower_scores.score as lower_score,
    upper_scores.score as upper_score,
    upper_scores.score - lower_scores.score as delta,
    {{ pair_outcome('upper_scores.score', 'lower_scores.score') }} as outcome

from {{ ref('comparable_pairs') }} as pairs
inner join scores as lower_scores
    on
        pairs.chain_id = lower_scores.chain_id
        and pairs.lower_position = lower_scores.position
inner join scores as upper_scores
    on
        pairs.chain_id = upper_scores.chain_id
        and pairs.upper_position = upper_scores.position
        and lower_scores.experiment = upper_scores.experiment
        and lower_scores.metric = upper_scores.metric
