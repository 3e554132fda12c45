-- How often a metric prefers the output that the judge preferred, under each rule for ties.
select
    corpus,
    judgment_set,
    tie_rule,
    reference_set,
    system_set,
    metric,
    n_pairs,
    concordant,
    discordant,
    tied,
    tied_by_judge,
    tied_by_both,
    accuracy,
    ci_low,
    ci_high,
    kendall,
    epsilon

from {{ ref('judged_pair_agreement') }}
-- Metrics that were looked at and have nothing to say have a row without a name.
where metric is not null
