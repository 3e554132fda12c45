-- Which sentences, annotations and outputs are excluded from what, and why? With the first example
-- of each.
with

exclusions as (

    select * from main.sentence_exclusions

),

corpora as (

    select * from main.corpora

),

reasons as (

    select
        corpus,
        stage,
        metric,
        reason,
        remedy,
        count(*) as n_left_out,
        count(distinct sentence_id) as n_sentences,
        min(sentence_id) as first_sentence_id

    from exclusions
    group by all

),

shares as (

    select
        reasons.corpus,
        reasons.stage,
        reasons.metric,
        reasons.reason,
        reasons.n_left_out,
        reasons.n_sentences,
        round(reasons.n_sentences / corpora.n_sentences, 3) as share_of_sentences,
        reasons.first_sentence_id,
        reasons.remedy

    from reasons
    inner join corpora on reasons.corpus = corpora.corpus

)

select * from shares
order by corpus asc, stage asc, metric asc, n_left_out desc, reason asc
