-- Outcomes of every row add up to its pairs, those of the error types to those of all types, and
-- these are what scores of valid nodes and their twins say pair by pair. No step has more twins
-- than were asked for, and no twin the text of a valid node of its sentence.
with

agreement as (

    select * from {{ ref('invalid_edit_agreement') }}

),

nodes as (

    select * from {{ ref('invalid_nodes') }}

),

by_type as (

    select
        corpus,
        mode,
        metric,
        sum(n_steps) as n_steps,
        sum(n_without_twin) as n_without_twin,
        sum(n_pairs) as n_pairs,
        sum(valid_wins) as valid_wins,
        sum(ties) as ties

    from agreement
    where error_type is not null
    group by all

),

by_pair as (

    select
        pairs.corpus,
        pairs.mode,
        valid_scores.metric,
        count(*) as n_pairs,
        count(*) filter (
            where {{ mode_score('pairs.mode', 'valid_scores') }}
            > {{ mode_score('pairs.mode', 'invalid_scores') }}
        ) as valid_wins

    from {{ ref('invalid_pairs') }} as pairs
    inner join {{ ref('sentence_scores') }} as valid_scores
        on pairs.valid_pair_id = valid_scores.pair_id
    inner join {{ ref('sentence_scores') }} as invalid_scores
        on
            pairs.pair_id = invalid_scores.pair_id
            and valid_scores.metric = invalid_scores.metric
    group by all

),

twins as (

    select
        step_id,
        count(*) as n_made

    from nodes
    group by all

),

steps as (

    select * from {{ ref('invalid_steps') }}

)

select
    'outcomes of ' || metric || ' do not add up' as problem,
    error_type as place

from agreement
where valid_wins + invalid_wins + ties <> n_pairs

union all

select
    'error types of ' || by_type.metric || ' do not add up to all types' as problem,
    by_type.mode as place

from by_type
left join agreement
    on
        by_type.corpus = agreement.corpus
        and by_type.mode = agreement.mode
        and by_type.metric = agreement.metric
        and agreement.error_type is null
where
    (by_type.n_steps, by_type.n_without_twin, by_type.n_pairs, by_type.valid_wins, by_type.ties)
    is distinct from (
        agreement.n_steps, agreement.n_without_twin, agreement.n_pairs, agreement.valid_wins,
        agreement.ties
    )

union all

select
    'pairs of ' || by_pair.metric || ' are not those of the mart' as problem,
    by_pair.mode as place

from by_pair
left join by_type
    on
        by_pair.corpus = by_type.corpus
        and by_pair.mode = by_type.mode
        and by_pair.metric = by_type.metric
where
    (by_pair.n_pairs, by_pair.valid_wins) is distinct from (by_type.n_pairs, by_type.valid_wins)

union all

select
    'more twins than were asked for' as problem,
    steps.step_id::varchar as place

from steps
inner join twins on steps.step_id = twins.step_id
where twins.n_made > steps.n_twins

union all

select
    'a twin with the text of a valid node: ' || nodes.text as problem,
    nodes.sentence_id::varchar as place

from nodes
inner join {{ ref('node_texts') }} as node_texts
    on
        nodes.corpus = node_texts.corpus
        and nodes.sentence_id = node_texts.sentence_id
        and nodes.text_id = node_texts.text_id
