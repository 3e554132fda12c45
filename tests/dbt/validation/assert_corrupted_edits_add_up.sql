-- The outcomes of every row add up to its pairs, and the rows of error types to the row of all
-- types. They equal the counts from scores of valid and corrupted nodes. No step has more corrupted
-- nodes than requested, and none of these has the text of a valid node of its sentence.
with

agreement as (

    select * from {{ ref('corrupted_edit_agreement') }}

),

nodes as (

    select * from {{ ref('corrupted_nodes') }}

),

by_type as (

    select
        corpus,
        metric,
        sum(n_steps) as n_steps,
        sum(n_without_corrupted) as n_without_corrupted,
        sum(n_pairs) as n_pairs,
        sum(n_concordant) as n_concordant,
        sum(n_tied) as n_tied

    from agreement
    where error_type is not null
    group by all

),

by_pair as (

    select
        pairs.corpus,
        valid_scores.metric,
        count(*) as n_pairs,
        count(*) filter (
            where {{ run_score('pairs.corpus', 'valid_scores') }}
            > {{ run_score('pairs.corpus', 'corrupted_scores') }}
            and not {{ is_tied(
                run_score('pairs.corpus', 'valid_scores'),
                run_score('pairs.corpus', 'corrupted_scores')
            ) }}
        ) as n_concordant

    from {{ ref('scored_units') }} as pairs
    inner join {{ ref('scored_units') }} as valid_pairs
        using (chain_id, position, experiment)
    inner join {{ ref('sentence_scores') }} as valid_scores
        on valid_pairs.pair_id = valid_scores.pair_id
    inner join {{ ref('sentence_scores') }} as corrupted_scores
        on
            pairs.pair_id = corrupted_scores.pair_id
            and valid_scores.metric = corrupted_scores.metric
    where
        pairs.used_in = 'corrupted'
        and valid_pairs.used_in = 'chain'
    group by all

),

corrupted as (

    select
        step_id,
        count(*) as n_made

    from nodes
    group by all

),

steps as (

    select * from {{ ref('corrupted_steps') }}

)

select
    'outcomes of ' || metric || ' do not add up' as problem,
    error_type as place

from agreement
where n_concordant + n_discordant + n_tied <> n_pairs

union all

select
    'error types of ' || by_type.metric || ' do not add up to all types' as problem,
    by_type.corpus as place

from by_type
left join agreement
    on
        by_type.corpus = agreement.corpus
        and by_type.metric = agreement.metric
        and agreement.error_type is null
where
    (
        by_type.n_steps, by_type.n_without_corrupted, by_type.n_pairs, by_type.n_concordant,
        by_type.n_tied
    )
    is distinct from (
        agreement.n_steps, agreement.n_without_corrupted, agreement.n_pairs, agreement.n_concordant,
        agreement.n_tied
    )

union all

select
    'pairs of ' || by_pair.metric || ' are not those of the mart' as problem,
    by_pair.corpus as place

from by_pair
left join by_type
    on
        by_pair.corpus = by_type.corpus
        and by_pair.metric = by_type.metric
where
    (by_pair.n_pairs, by_pair.n_concordant) is distinct from (by_type.n_pairs, by_type.n_concordant)

union all

select
    'more corrupted nodes than were asked for' as problem,
    steps.step_id::varchar as place

from steps
inner join corrupted on steps.step_id = corrupted.step_id
where corrupted.n_made > steps.n_corrupted

union all

select
    'a corrupted node with the text of a valid node: ' || nodes.text as problem,
    nodes.sentence_id::varchar as place

from nodes
inner join {{ ref('node_texts') }} as node_texts
    on
        nodes.corpus = node_texts.corpus
        and nodes.sentence_id = node_texts.sentence_id
        and nodes.text_id = node_texts.text_id
