-- Valid nodes against their invalid twins within each source sentence: by error type, and all types
-- together (error_type is null).
with

pairs as (

    select * from {{ ref('invalid_pairs') }}

),

invalid_nodes as (

    select * from {{ ref('invalid_nodes') }}

),

scored as (

    select pair_id from pairs
    union
    select valid_pair_id from pairs

),

-- Read twice: DuckDB makes a copy, which of all scores would be ten times as large.
scores as (

    select scores_and_chance.*
    from {{ ref('scores_and_chance') }} as scores_and_chance
    semi join scored on scores_and_chance.pair_id = scored.pair_id

),

compared as (

    select
        pairs.corpus,
        pairs.mode,
        pairs.sentence_id,
        invalid_nodes.error_type,
        invalid_nodes.valid_distance,
        invalid_nodes.invalid_distance,
        valid_scores.metric,
        {{ mode_score('pairs.mode', 'valid_scores') }} as valid_score,
        {{ mode_score('pairs.mode', 'invalid_scores') }} as invalid_score

    from pairs
    inner join invalid_nodes on pairs.invalid_node_id = invalid_nodes.invalid_node_id
    inner join scores as valid_scores on pairs.valid_pair_id = valid_scores.pair_id
    inner join scores as invalid_scores
        on
            pairs.pair_id = invalid_scores.pair_id
            and valid_scores.metric = invalid_scores.metric

),

-- Every pair under its type and under all types.
grouped as (

    select
        * exclude (error_type),
        unnest([error_type, null]) as error_type

    from compared

)

select
    corpus,
    mode,
    metric,
    error_type,
    sentence_id,
    count(*) as n_pairs,
    count(*) filter (where valid_score > invalid_score) as valid_wins,
    count(*) filter (where valid_score < invalid_score) as invalid_wins,
    count(*) filter (where valid_score = invalid_score) as ties,
    count(*) filter (where valid_distance > invalid_distance) as valid_changes_more,
    count(*) filter (where valid_distance < invalid_distance) as invalid_changes_more

from grouped
group by all
