-- Which metrics cannot be told apart at sentence level? Pairs of metrics whose intervals of tau
-- overlap, and which a sign test over sentences does not separate at 5 %: which of the two metrics
-- has fewer discordant pairs there (a tie is not discordant)? Overlap alone is a cautious test,
-- because both metrics see the same pairs.
with

correlations as (

    select * from main.sentence_correlations
    where mode = 'paper' and experiment = 'random_source'

),

sentences as (

    select distinct
        corpus,
        sentence_id

    from main.lattice_nodes
    where mode = 'paper'

),

discordant_pairs as (

    select
        corpus,
        metric,
        sentence_id,
        count(*) as n_discordant

    from main.discordant_pairs
    where mode = 'paper' and experiment = 'random_source'
    group by all

),

-- A sentence without a discordant pair has no row in the mart.
discordant_counts as (

    select
        correlations.corpus,
        correlations.metric,
        sentences.sentence_id,
        coalesce(discordant_pairs.n_discordant, 0) as n_discordant

    from correlations
    inner join sentences on correlations.corpus = sentences.corpus
    left join discordant_pairs
        on
            correlations.corpus = discordant_pairs.corpus
            and correlations.metric = discordant_pairs.metric
            and sentences.sentence_id = discordant_pairs.sentence_id

),

sentence_wins as (

    select
        first_counts.corpus,
        first_counts.metric as first_metric,
        second_counts.metric as second_metric,
        count(*) filter (
            where first_counts.n_discordant < second_counts.n_discordant
        ) as first_wins,
        count(*) filter (
            where first_counts.n_discordant > second_counts.n_discordant
        ) as second_wins

    from discordant_counts as first_counts
    inner join discordant_counts as second_counts
        on
            first_counts.corpus = second_counts.corpus
            and first_counts.sentence_id = second_counts.sentence_id
            and first_counts.metric < second_counts.metric
    group by all

),

overlapping as (

    select
        sentence_wins.corpus,
        sentence_wins.first_metric,
        sentence_wins.second_metric,
        round(first_correlations.kendall_tau, 3) as first_tau,
        round(second_correlations.kendall_tau, 3) as second_tau,
        sentence_wins.first_wins,
        sentence_wins.second_wins,
        round(kendall_p(sentence_wins.first_wins, sentence_wins.second_wins, 0), 4) as sign_test_p

    from sentence_wins
    inner join correlations as first_correlations
        on
            sentence_wins.corpus = first_correlations.corpus
            and sentence_wins.first_metric = first_correlations.metric
    inner join correlations as second_correlations
        on
            sentence_wins.corpus = second_correlations.corpus
            and sentence_wins.second_metric = second_correlations.metric
    where
        first_correlations.ci_low <= second_correlations.ci_high
        and second_correlations.ci_low <= first_correlations.ci_high

)

select * from overlapping
where sign_test_p >= 0.05
order by corpus asc, sign_test_p desc, first_metric asc, second_metric asc
