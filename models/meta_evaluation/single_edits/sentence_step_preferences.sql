-- Which of two texts that differ in one edit each metric prefers, by source sentence and error type
-- of the edit, and with the type NULL by sentence: by its scores of both, or by what it says where
-- it compares them. That was asked in both orders, so that the text with the edit is preferred
-- where the metric likes it more as the hypothesis than the one without it. Original as the source.
with

scored as (

    select
        corpus,
        metric,
        sentence_id,
        error_type,
        outcome,
        null::double as bias

    from {{ ref('scored_pairs') }}
    where mode = 'paper' and experiment = 'origin_source' and n_edits_between = 1

),

families as (

    select
        metric,
        direction,
        reads_source

    from {{ ref('metric_registry') }}
    where is_selected and reads_other

),

-- First, because a join on keys that two tables make together would compare all with all.
asked as materialized (

    select
        steps.corpus,
        steps.sentence_id,
        steps.chain_id,
        steps.lower_position,
        steps.upper_position,
        steps.error_type,
        steps.is_upper,
        families.metric,
        families.direction,
        {{ source_key('families', 'steps') }} as source_key,
        steps.hypothesis_text_id,
        steps.references_key

    from {{ ref('compared_steps') }} as steps
    cross join families

),

-- What has an answer in one order alone has no preference.
answered as (

    select
        asked.corpus,
        asked.metric,
        asked.sentence_id,
        asked.error_type,
        asked.chain_id,
        asked.lower_position,
        asked.upper_position,
        max(asked.direction * requests.score) filter (where asked.is_upper) as upper_score,
        max(asked.direction * requests.score) filter (where not asked.is_upper) as lower_score

    from asked
    inner join {{ ref('own_requests') }} as requests
        on
            asked.metric = requests.metric
            and asked.source_key = requests.source_text_id
            and asked.hypothesis_text_id = requests.hypothesis_text_id
            and asked.references_key = requests.references_key
    group by all
    having count(requests.score) = 2

),

compared as (

    select
        corpus,
        metric,
        sentence_id,
        error_type,
        case
            when {{ is_tied('upper_score', 'lower_score') }} then 'tied'
            when upper_score > lower_score then 'concordant'
            else 'discordant'
        end as outcome,
        (upper_score + lower_score) / 2 as bias

    from answered

),

-- Every step under its type and under all types.
steps as (

    select
        * exclude (error_type),
        unnest([error_type, null]) as error_type

    from (
        select * from scored
        union all
        select * from compared
    ) as of_metrics

)

select
    corpus,
    'paper' as mode,
    metric,
    error_type,
    sentence_id,
    count(*) as n_pairs,
    {{ outcome_counts('outcome') }},
    {{ exact_sum('bias', '1.0') }} as sum_bias

from steps
group by all
