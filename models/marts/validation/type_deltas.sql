-- What a valid correction of each error type does to the score: negative means that the metric
-- punishes it. Random-source experiment.
with

deltas as (

    select
        corpus,
        mode,
        pair_rule,
        metric,
        error_type,
        count(*) as n_sentences,
        sum(n_pairs)::bigint as n_pairs,
        sum(sum_delta::decimal(30, 12))::double / sum(n_pairs) as mean_delta,
        sum(n_concordant)::bigint as n_concordant,
        sum(n_discordant)::bigint as n_discordant,
        sum(n_tied)::bigint as n_tied

    from {{ ref('sentence_type_deltas') }}
    group by all

),

intervals as (

    select * from {{ ref('type_delta_intervals') }}

)

select
    deltas.corpus,
    deltas.mode,
    deltas.pair_rule,
    deltas.metric,
    deltas.error_type,
    deltas.n_pairs,
    deltas.n_sentences,
    deltas.mean_delta,
    {{ defined('intervals.ci_low') }} as ci_low,
    {{ defined('intervals.ci_high') }} as ci_high,
    deltas.n_concordant,
    deltas.n_discordant,
    deltas.n_tied

from deltas
inner join intervals
    on
        deltas.corpus = intervals.corpus
        and deltas.mode = intervals.mode
        and deltas.pair_rule = intervals.pair_rule
        and deltas.metric = intervals.metric
        and deltas.error_type = intervals.error_type
