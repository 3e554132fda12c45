-- Valid and corrupted nodes with both scores of every metric. The original is the source.
with

pairs as (

    select
        corrupted.*,
        valid.pair_id as valid_pair_id,
        row_number() over (
            partition by corrupted.corpus
            order by corrupted.sentence_id, corrupted.corrupted_node_id
        ) - 1 as pair_number

    from {{ ref('scored_units') }} as corrupted
    inner join {{ ref('scored_units') }} as valid
        using (chain_id, position, experiment)
    where corrupted.used_in = 'corrupted' and valid.used_in = 'chain'

),

scored as (

    select pair_id from pairs
    union
    select valid_pair_id from pairs

),

-- Read twice: DuckDB makes a copy, which would be ten times as large with all scores.
scores as (

    select scores_and_chance.*
    from {{ ref('scores_and_chance') }} as scores_and_chance
    semi join scored using (pair_id)

),

compared as (

    select
        pairs.corpus,
        pairs.sentence_id,
        pairs.pair_number,
        pairs.pair_id,
        pairs.valid_pair_id,
        corrupted_nodes.error_type,
        corrupted_nodes.valid_distance,
        corrupted_nodes.corrupted_distance,
        valid_scores.metric,
        {{ run_score('pairs.corpus', 'valid_scores') }} as valid_score,
        {{ run_score('pairs.corpus', 'corrupted_scores') }} as corrupted_score

    from pairs
    inner join {{ ref('corrupted_nodes') }} as corrupted_nodes using (corrupted_node_id)
    inner join scores as valid_scores on pairs.valid_pair_id = valid_scores.pair_id
    inner join scores as corrupted_scores
        on
            pairs.pair_id = corrupted_scores.pair_id
            and valid_scores.metric = corrupted_scores.metric

)

select
    *,
    {{ pair_outcome('valid_score', 'corrupted_score') }} as outcome

from compared
