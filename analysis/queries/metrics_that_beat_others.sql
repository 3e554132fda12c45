-- Which metrics correlate better with the judges than which others, beyond chance? Williams' test
-- (williams_p) of the metrics' scores of systems with Expected Wins; the 30 smallest p-values. The
-- few systems are all the evidence that this test sees.
with

human_scores as (

    select * from main.human_scores
    where method = 'expected_wins' and system_set = 'all'

),

system_scores as (

    select * from main.system_scores

),

correlations as (

    select
        human_scores.corpus,
        human_scores.judgment_set,
        first_scores.reference_set,
        first_scores.metric as better_metric,
        second_scores.metric as other_metric,
        count(*) as n_systems,
        corr(human_scores.score, first_scores.corpus_score) as better_r,
        corr(human_scores.score, second_scores.corpus_score) as other_r,
        corr(first_scores.corpus_score, second_scores.corpus_score) as mutual_r

    from human_scores
    inner join system_scores as first_scores
        on
            human_scores.corpus = first_scores.corpus
            and human_scores.system = first_scores.system
    inner join system_scores as second_scores
        on
            first_scores.corpus = second_scores.corpus
            and first_scores.reference_set = second_scores.reference_set
            and first_scores.system = second_scores.system
            and first_scores.metric != second_scores.metric
    group by all

),

tested as (

    select
        corpus,
        judgment_set,
        reference_set,
        better_metric,
        other_metric,
        n_systems,
        round(better_r, 3) as better_r,
        round(other_r, 3) as other_r,
        round(williams_p(better_r, other_r, mutual_r, n_systems), 4) as p

    from correlations
    where better_r > other_r and not isnan(mutual_r)

)

select * from tested
order by p asc, corpus asc, judgment_set asc, reference_set asc, better_metric asc, other_metric asc
limit 30
