-- Which of two texts that differ in one edit does a metric prefer, by its scores or by its answer
-- to a comparison of the two? The metric reads the original as the source.
select
    corpus,
    metric,
    stratum as error_type,
    n_pairs,
    n_sentences,
    n_concordant,
    n_discordant,
    n_tied,
    too_few,
    pairwise_accuracy as agreement,
    ci_low,
    ci_high,
    position_bias

from {{ ref('pair_agreement') }}
where question = 'steps'
