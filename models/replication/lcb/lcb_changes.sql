-- The paper on coverage, supplement B: in how many sentences systems and the first annotator change
-- so many words, and the order of words.
with

profiles as (

    select * from {{ ref('corrector_profiles') }}
    where
        corpus = 'conll14' and bin is not null
        and (corrector_kind = 'system' or corrector = 'NUCLEA')

),

correctors as (

    select distinct corrector from profiles

),

bins as (

    select
        unnest(['0', '1', '2', '3', '4', '5', '6_10', '11_20', '21']) as bin,
        unnest([0, 1, 2, 3, 4, 5, 6, 11, 21]) as low,
        unnest([0, 1, 2, 3, 4, 5, 10, 20, 1000]) as high

),

words as (

    select
        corrector,
        mode,
        bin::integer as words,
        n_sentences

    from profiles
    where measure = 'words_changed'

)

select
    'supplement_b' as exhibit,
    correctors.corrector as row_label,
    'words_' || bins.bin as column_label,
    coalesce(sum(words.n_sentences) filter (where words.mode = 'as_published'), 0)::double
        as reproduced,
    coalesce(sum(words.n_sentences) filter (where words.mode = 'paper'), 0)::double as corrected

from correctors
cross join bins
left join words
    on correctors.corrector = words.corrector and words.words between bins.low and bins.high
group by correctors.corrector, bins.bin
union all
select
    'supplement_b' as exhibit,
    corrector as row_label,
    'reordered' as column_label,
    sum(n_sentences)::double as reproduced,
    null as corrected

from profiles
where measure = 'word_order' and bin < 1
group by corrector
