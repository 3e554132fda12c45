-- How many variants of each sentence the crowd gave once, twice and so on: what estimators read.
with

variants as (

    select * from {{ ref('correction_variants') }}

),

sentences as (

    select
        corpus,
        sentence_id,
        measure,
        max(n_answers) as most,
        sum(n_answers)::integer as n_answers,
        list(n_answers) as counts

    from variants
    group by corpus, sentence_id, measure

)

select
    corpus,
    sentence_id,
    measure,
    n_answers,
    list_aggregate(
        list_transform(
            range(1, most + 1), lambda seen: len(list_filter(counts, lambda n: n = seen))
        ),
        'string_agg',
        ','
    ) as histogram

from sentences
