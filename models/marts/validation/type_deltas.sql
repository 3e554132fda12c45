-- What a valid correction of each error type does to the score: negative means that the metric
-- punishes it.
select
    corpus,
    mode,
    pair_rule,
    metric,
    error_type,
    n_pairs,
    n_sentences,
    mean_delta,
    too_few,
    ci_low,
    ci_high,
    p_value,
    q_value,
    n_concordant,
    n_discordant,
    n_tied,
    lattices_from

from {{ ref('mean_type_deltas') }}
