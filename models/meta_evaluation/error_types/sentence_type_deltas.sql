-- Score differences by error type within each source sentence, for both rules of pairing:
--   adjacent     pairs that differ in exactly one edit (the paper's definition)
--   from_origin  a position against its chain's original, credited to the last edit (the run)
with

-- Read twice from the table, as in scored_pairs.
pairs as not materialized (

    select * from {{ ref('scored_pairs') }}
    where experiment = 'random_source' and error_type is not null

),

paired as (

    select
        'adjacent' as pair_rule,
        *

    from pairs
    where n_edits_between = 1

    union all

    select
        'from_origin' as pair_rule,
        *

    from pairs
    where lower_position = 0

),

units as (

    select * from {{ ref('score_units') }}

)

select
    paired.corpus,
    paired.mode,
    paired.pair_rule,
    paired.metric,
    paired.error_type,
    paired.sentence_id,
    count(*) as n_pairs,
    {{ exact_sum('paired.delta', 'units.unit') }} as sum_delta,
    {{ outcome_counts('paired.outcome') }}

from paired
inner join units using (metric)
group by all
