-- How metrics order pairs of texts of a sentence: one row per question, corpus, experiment,
-- metric, stratum and source sentence, the unit that bootstraps resample. Questions:
--   all_pairs        every comparable pair
--   adjacent         pairs that differ in exactly one edit, by its error type (the paper's rule)
--   from_origin      a position and its chain's original, by the last edit's type (published run)
--   shared_edits     pairs that differ in one edit, by how many references make it, and all
--   steps            pairs that differ in one edit, by its error type, and all; here metrics that
--                    compare two texts have a preference in place of two scores
--   corrupted_edits  a valid node and a corrupted one, original as the source, by the error type of
--                    the edit, and all
with

-- DuckDB would copy relations that are read more than once, and spill the copies of large corpora.
scored as not materialized (

    select * from {{ ref('scored_pairs') }}

),

shared_steps as (

    select
        pairs.chain_id,
        pairs.lower_position,
        pairs.upper_position,
        makers.made_by

    from {{ ref('comparable_pairs') }} as pairs
    inner join {{ ref('chain_nodes') }} as lower_nodes
        on
            pairs.chain_id = lower_nodes.chain_id
            and pairs.lower_position = lower_nodes.position
    inner join {{ ref('chain_nodes') }} as upper_nodes
        on
            pairs.chain_id = upper_nodes.chain_id
            and pairs.upper_position = upper_nodes.position
    inner join {{ ref('edit_makers') }} as makers
        on
            pairs.annotation_id = makers.annotation_id
            and upper_nodes.mask - lower_nodes.mask = makers.edit_bit
    where pairs.n_edits_between = 1

),

comparing_metrics as (

    select
        metric,
        direction,
        reads_source

    from {{ ref('metric_registry') }}
    where is_selected and reads_other

),

-- Materialised, because a join on keys from two tables would compare all rows with all rows.
compared_texts as materialized (

    select
        steps.*,
        metrics.metric,
        metrics.direction,
        {{ source_key('metrics', 'steps') }} as source_key

    from {{ ref('compared_steps') }} as steps
    cross join comparing_metrics as metrics

),

-- The larger score is the one of the better hypothesis. Both orders need an answer.
preferences as (

    select
        texts.corpus,
        texts.metric,
        texts.sentence_id,
        texts.error_type,
        max(texts.direction * requests.score) filter (where texts.is_upper) as upper_score,
        max(texts.direction * requests.score) filter (where not texts.is_upper) as lower_score

    from compared_texts as texts
    inner join {{ ref('own_requests') }} as requests
        on
            texts.metric = requests.metric
            and texts.source_key = requests.source_text_id
            and texts.hypothesis_text_id = requests.hypothesis_text_id
            and texts.references_key = requests.references_key
    group by
        texts.corpus,
        texts.metric,
        texts.sentence_id,
        texts.error_type,
        texts.chain_id,
        texts.lower_position,
        texts.upper_position
    having count(requests.score) = 2

),

corrupted as (

    select
        corrupted_units.corpus,
        corrupted_units.sentence_id,
        corrupted_units.pair_id,
        valid_units.pair_id as valid_pair_id,
        nodes.error_type,
        nodes.valid_distance,
        nodes.corrupted_distance

    from {{ ref('scored_units') }} as corrupted_units
    inner join {{ ref('scored_units') }} as valid_units using (chain_id, position, experiment)
    inner join {{ ref('corrupted_nodes') }} as nodes
        on corrupted_units.corrupted_node_id = nodes.corrupted_node_id
    where corrupted_units.used_in = 'corrupted' and valid_units.used_in = 'chain'

),

-- Read twice: DuckDB makes a copy, which would be ten times as large with all scores.
scores_of_corrupted as (

    select * from {{ ref('scores_and_chance') }}
    where pair_id in (select unnest([corrupted.pair_id, corrupted.valid_pair_id]) from corrupted)

),

grouped as (

    select
        'all_pairs' as question,
        corpus,
        experiment,
        metric,
        null as stratum,
        sentence_id,
        outcome
    from scored

    union all by name

    select
        rules.question,
        scored.corpus,
        scored.experiment,
        scored.metric,
        scored.error_type as stratum,
        scored.sentence_id,
        scored.outcome,
        scored.delta
    from scored
    inner join (values ('adjacent'), ('from_origin')) as rules (question)
        on if(rules.question = 'adjacent', scored.n_edits_between = 1, scored.lower_position = 0)
    where scored.experiment = 'random_source' and scored.error_type is not null

    union all by name

    select
        'shared_edits' as question,
        scored.corpus,
        scored.experiment,
        scored.metric,
        unnest([shared_steps.made_by, null]) as stratum,
        scored.sentence_id,
        scored.outcome
    from scored
    inner join shared_steps using (chain_id, lower_position, upper_position)
    where scored.experiment = 'random_source' and scored.n_edits_between = 1

    union all by name

    select
        'steps' as question,
        corpus,
        experiment,
        metric,
        unnest([error_type, null]) as stratum,
        sentence_id,
        outcome
    from scored
    where experiment = 'origin_source' and n_edits_between = 1

    union all by name

    select
        'steps' as question,
        corpus,
        'origin_source' as experiment,
        metric,
        unnest([error_type, null]) as stratum,
        sentence_id,
        {{ pair_outcome('upper_score', 'lower_score') }} as outcome,
        (upper_score + lower_score) / 2 as bias
    from preferences

    union all by name

    select
        'corrupted_edits' as question,
        corrupted.corpus,
        'origin_source' as experiment,
        valid_scores.metric,
        unnest([corrupted.error_type, null]) as stratum,
        corrupted.sentence_id,
        {{ pair_outcome(
            run_score('corrupted.corpus', 'valid_scores'),
            run_score('corrupted.corpus', 'corrupted_scores')
        ) }} as outcome,
        corrupted.valid_distance,
        corrupted.corrupted_distance
    from corrupted
    inner join scores_of_corrupted as valid_scores
        on corrupted.valid_pair_id = valid_scores.pair_id
    inner join scores_of_corrupted as corrupted_scores
        on
            corrupted.pair_id = corrupted_scores.pair_id
            and valid_scores.metric = corrupted_scores.metric

)

select
    grouped.question,
    grouped.corpus,
    grouped.experiment,
    grouped.metric,
    grouped.stratum,
    grouped.sentence_id,
    count(*) as n_pairs,
    {{ outcome_counts('grouped.outcome') }},
    {{ exact_sum('grouped.delta', 'units.unit') }} as sum_delta,
    {{ exact_sum('grouped.bias', '1.0') }} as sum_bias,
    count(*) filter (where grouped.valid_distance > grouped.corrupted_distance)
        as valid_changes_more,
    count(*) filter (where grouped.valid_distance < grouped.corrupted_distance)
        as corrupted_changes_more

from grouped
left join {{ ref('score_units') }} as units using (metric)
group by all
