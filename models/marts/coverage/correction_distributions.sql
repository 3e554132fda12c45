-- The number of corrections of a sentence with each frequency, as counted and as estimated.
with

histograms as (

    select
        *,
        string_split(histogram, ',')::integer[] as counts

    from {{ ref('answer_histograms') }}

),

estimates as (

    select
        *,
        string_split(signature, '|')[1] as estimator

    from {{ ref('unseen_estimates') }}
    where redraw = 0
    -- Other variables give other resamples, but the same estimate for the histogram itself.
    qualify row_number() over (partition by histogram, estimator order by signature) = 1

),

observed as (

    select
        corpus,
        sentence_id,
        measure,
        n_answers,
        'observed' as estimator,
        unnest(range(1, len(counts) + 1)) / n_answers as frequency,
        unnest(counts)::double as variants

    from histograms

),

estimated as (

    select
        histograms.corpus,
        histograms.sentence_id,
        histograms.measure,
        histograms.n_answers,
        estimates.estimator,
        unnest(estimates.frequencies) as frequency,
        unnest(estimates.variants) as variants

    from histograms
    inner join estimates using (histogram)

),

chao1 as (

    select
        corpus,
        sentence_id,
        measure,
        n_answers,
        'chao1' as estimator,
        list_sum(counts) + (n_answers - 1) / n_answers * if(
            coalesce(counts[2], 0) > 0,
            counts[1] ^ 2 / (2 * counts[2]),
            counts[1] * (counts[1] - 1) / 2
        ) as variants

    from histograms

),

distributions as (

    select * from observed
    where variants > 0
    union all by name
    select * from estimated
    union all by name
    select * from chao1

)

select
    corpus,
    sentence_id,
    measure,
    estimator,
    frequency,
    variants,
    n_answers

from distributions
