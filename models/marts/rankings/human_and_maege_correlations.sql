-- Two ways to judge a metric side by side: how it ranks systems against the judges (CHR), and how
-- it ranks corpora of known quality (MAEGE). Figure 4 of the MAEGE paper, for every judgment set.
with

human as (

    select * from {{ ref('human_correlations') }}
    where resampled = 'both' and not contains(system_set, '_window_')

),

maege as (

    select * from {{ ref('corpus_correlations') }}
    where mode = 'paper'

)

select
    human.corpus,
    human.judgment_set,
    human.method,
    human.reference_set,
    human.sentence_set,
    human.system_set,
    human.metric,
    maege.experiment,
    human.spearman_rho as human_rho,
    human.spearman_ci_low as human_ci_low,
    human.spearman_ci_high as human_ci_high,
    maege.draws_median as maege_rho,
    maege.draws_low as maege_draws_low,
    maege.draws_high as maege_draws_high

from human
inner join maege
    on
        human.corpus = maege.corpus
        and human.metric = maege.metric
