-- What judges say of a crowd's corrections, by how many of the crowd wrote them.
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

    from {{ ref('stg_corpus__validity') }}
    group by all

),

corrections as (

    select
        judged.corpus,
        judged.n_judgments,
        judged.validity,
        -- Each counts with its frequency, and among all.
        unnest([coalesce(answers.frequency, 0), null]) as frequency

    from judged
    left join answers
        on
            judged.corpus = answers.corpus
            and judged.sentence_id = answers.sentence_id
            and judged.compared = answers.compared

),

counted as (

    select
        corpus,
        frequency,
        count(*)::integer as n_corrections,
        sum(n_judgments)::integer as n_judgments,
        -- In order, so that sums do not depend on threads.
        avg(validity order by validity) as validity,
        -- 1.96, to the digits that double precision has.
        1.959963984540054
        * stddev_samp(validity order by validity) / sqrt(count(*)) as half_width

    from corrections
    group by corpus, frequency

)

select
    corpus,
    frequency,
    n_corrections,
    n_judgments,
    validity,
    if(half_width is not null, greatest(validity - half_width, 0), null) as ci_low,
    if(half_width is not null, least(validity + half_width, 1), null) as ci_high

from counted
