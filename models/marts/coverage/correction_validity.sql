-- Judges' validity of a crowd's corrections, by the number of workers who wrote them.
with

answers as (

    select
        corpus,
        sentence_id,
        compared,
        count(*)::integer as frequency

    from {{ ref('usable_corrections') }}
    where left_out is null
    group by all

),

judged as (

    select
        corpus,
        sentence_id,
        compared,
        count(*)::integer as n_judgments,
        avg(is_valid::integer) as validity

    from {{ source('raw', 'validity_judgements') }}
    group by all

),

corrections as (

    select
        judged.corpus,
        judged.sentence_id,
        judged.n_judgments,
        judged.validity,
        -- Each correction counts for its frequency and for all corrections.
        unnest([coalesce(answers.frequency, 0), null]) as frequency

    from judged
    left join answers using (corpus, sentence_id, compared)

),

of_sentences as (

    select
        corpus,
        frequency,
        sentence_id,
        count(*) as n_corrections,
        sum(n_judgments) as n_judgments,
        -- Sorted, so that sums do not depend on threads.
        sum(validity order by validity) as validity

    from corrections
    group by corpus, frequency, sentence_id

),

counted as (

    select
        corpus,
        frequency,
        count(*) as n_sentences,
        sum(n_corrections)::integer as n_corrections,
        sum(n_judgments)::integer as n_judgments,
        sum(validity order by sentence_id) / sum(n_corrections) as validity,
        sum(validity ^ 2 order by sentence_id) as squares,
        sum(validity * n_corrections order by sentence_id) as products,
        sum(n_corrections ^ 2 order by sentence_id) as squared_counts

    from of_sentences
    group by corpus, frequency

),

-- Sentences are clusters with all their corrections: standard error of a ratio of sums, by
-- linearisation.
with_errors as (

    select
        *,
        -- 1.96 in double precision; no interval below 20 sentences.
        if(
            n_sentences >= 20,
            1.959963984540054 / n_corrections * sqrt(
                n_sentences / (n_sentences - 1) * greatest(
                    squares - 2 * validity * products + validity ^ 2 * squared_counts, 0
                )
            ),
            null
        ) as half_width

    from counted

)

select
    corpus,
    frequency,
    n_corrections,
    n_judgments,
    validity,
    if(half_width > 0, greatest(validity - half_width, 0), null) as ci_low,
    if(half_width > 0, least(validity + half_width, 1), null) as ci_high

from with_errors
