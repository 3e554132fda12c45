-- Every single-edit pair is counted for one error type, and so is every pair with an original.
-- Outcomes add up to pairs, and the means times their numbers to the sum over the pairs.
with

deltas as (

    select * from {{ ref('type_deltas') }}

),

totals as (

    select
        corpus,
        pair_rule,
        metric,
        sum(n_pairs) as n_pairs,
        sum(n_concordant) as n_concordant,
        sum(n_discordant) as n_discordant,
        sum(n_tied) as n_tied,
        sum(n_pairs * mean_delta) as sum_delta

    from deltas
    group by all

),

pairs as (

    select
        corpus,
        metric,
        n_edits_between = 1 as is_adjacent,
        lower_position = 0 as is_from_origin,
        outcome,
        delta

    from {{ ref('scored_pairs') }}
    where experiment = 'random_source' and error_type is not null

),

pair_totals as (

    select
        corpus,
        'adjacent' as pair_rule,
        metric,
        count(*) as n_pairs,
        count(*) filter (where outcome = 'discordant') as n_discordant,
        sum(delta) as sum_delta
    from pairs
    where is_adjacent
    group by all
    union all
    select
        corpus,
        'from_origin' as pair_rule,
        metric,
        count(*) as n_pairs,
        count(*) filter (where outcome = 'discordant') as n_discordant,
        sum(delta) as sum_delta
    from pairs
    where is_from_origin
    group by all

)

select
    totals.*,
    pair_totals.n_pairs as expected_pairs

from pair_totals
left join totals
    on
        pair_totals.corpus = totals.corpus
        and pair_totals.pair_rule = totals.pair_rule
        and pair_totals.metric = totals.metric
where
    totals.n_pairs is distinct from pair_totals.n_pairs
    or totals.n_discordant <> pair_totals.n_discordant
    or totals.n_concordant + totals.n_discordant + totals.n_tied <> totals.n_pairs
    or abs(totals.sum_delta - pair_totals.sum_delta) > 1e-6

union all

select
    corpus,
    pair_rule,
    metric,
    n_pairs,
    n_concordant,
    n_discordant,
    n_tied,
    mean_delta as sum_delta,
    n_pairs as expected_pairs

from deltas
where n_concordant + n_discordant + n_tied <> n_pairs
