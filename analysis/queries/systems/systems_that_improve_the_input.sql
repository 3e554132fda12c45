-- Which systems improve their input significantly, sentence by sentence? The mean gain over INPUT
-- by GLEU with a bootstrap interval over sentences (bootstrap_interval); change the metric in the
-- condition below.
with

sentence_scores as (

    select * from main.system_sentence_scores
    where metric = 'gleu'

),

gains as (

    select
        outputs.corpus,
        outputs.reference_set,
        outputs.system,
        outputs.sentence_id,
        outputs.score - inputs.score as gain

    from sentence_scores as outputs
    inner join sentence_scores as inputs
        on
            outputs.corpus = inputs.corpus
            and outputs.reference_set = inputs.reference_set
            and outputs.sentence_id = inputs.sentence_id
            and inputs.system = 'INPUT'
    where outputs.system != 'INPUT'

),

intervals as (

    select
        corpus,
        reference_set,
        system,
        count(*) as n_sentences,
        avg(gain) as mean_gain,
        -- The bootstrap resamples positions of the list, so the list needs an order.
        bootstrap_interval(
            list(gain order by sentence_id), list(1.0 order by sentence_id), 1000, 1
        ) as bounds

    from gains
    group by all

),

answered as (

    select
        intervals.corpus,
        intervals.reference_set,
        intervals.system,
        intervals.n_sentences,
        round(intervals.mean_gain, 4) as mean_gain,
        round(intervals.bounds.low, 4) as gain_low,
        round(intervals.bounds.high, 4) as gain_high,
        intervals.bounds.low > 0 as improves

    from intervals

)

select * from answered
order by corpus asc, reference_set asc, mean_gain desc, system asc
limit 100
