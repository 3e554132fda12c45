-- The paper on coverage: how much systems correct, beside references. Table 6 compares the shared
-- task's twelve systems with annotator 0, `corrected` with the mean of both; of ERRANT's edits as
-- published with the outputs. Supplement B: in how many sentences systems and the first annotator
-- change so many words, and the order of words.
with

profiles as (

    select * from {{ ref('correction_profiles') }}
    where
        corpus = 'conll14' and bin = 6
        and measure in ('words_changed', 'words_changed_published')

),

six_words as (

    select
        'sentences_with_six_words_changed' as row_label,
        if(corrector_kind = 'system', 'most_of_a_system', 'reference') as column_label,
        max(n_sentences) filter (where measure = 'words_changed_published') as reproduced,
        max(n_sentences) filter (where measure = 'words_changed') as corrected

    from profiles
    where corrector_kind = 'system' or corrector = 'NUCLEA'
    group by all

),

-- How many more sentences have so many words changed than with one reference.
reranked as (

    select
        corrector as row_label,
        'words_' || bin::integer as column_label,
        n_sentences as n

    from {{ ref('correction_profiles') }}
    where
        corpus = 'lcb_reranked' and measure = 'words_changed_published' and bin <= 4

),

figure_2 as (

    select
        reranked.row_label,
        reranked.column_label,
        reranked.n - one_reference.n as reproduced

    from reranked
    inner join reranked as one_reference
        on
            reranked.column_label = one_reference.column_label
            and one_reference.row_label = 'NUCLEA'
    where reranked.row_label <> 'NUCLEA'

),

counts as (

    select
        error_type,
        sum(n_edits) filter (
            where system is not null and system not in ('RoRo', 'JMGR', 'Char')
        ) / 12 as of_systems,
        sum(n_edits) filter (where position = 0) as of_first,
        sum(n_edits) filter (where position is not null) / 2 as of_both

    from {{ ref('type_counts') }}
    where corpus = 'conll14' and reference_set = 'nucle_errant'
    group by error_type

),

supplement_profiles as (

    select * from {{ ref('correction_profiles') }}
    where
        corpus = 'conll14' and bin is not null
        and (corrector_kind = 'system' or corrector = 'NUCLEA')

),

correctors as (

    select distinct corrector from supplement_profiles

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
        measure,
        bin::integer as words,
        n_sentences

    from supplement_profiles
    where measure in ('words_changed', 'words_changed_published')

)

select
    'text' as exhibit,
    row_label,
    column_label,
    reproduced::double as reproduced,
    corrected::double as corrected
from six_words
union all by name
select
    'table_6' as exhibit,
    error_type as row_label,
    'change' as column_label,
    of_systems / of_first as reproduced,
    of_systems / of_both as corrected
from counts
where of_first > 0
union all by name
select
    'figure_2' as exhibit,
    row_label,
    column_label,
    reproduced
from figure_2
union all by name
select
    'text' as exhibit,
    'validity' as row_label,
    'frequency_' || frequency as column_label,
    validity as reproduced
from {{ ref('correction_validity') }}
where corpus = 'lcb_gec' and frequency = 1

union all by name

select
    'supplement_b' as exhibit,
    correctors.corrector as row_label,
    'words_' || bins.bin as column_label,
    coalesce(
        sum(words.n_sentences) filter (where words.measure = 'words_changed_published'), 0
    )::double as reproduced,
    coalesce(sum(words.n_sentences) filter (where words.measure = 'words_changed'), 0)::double
        as corrected

from correctors
cross join bins
left join words
    on correctors.corrector = words.corrector and words.words between bins.low and bins.high
group by correctors.corrector, bins.bin
union all by name
select
    'supplement_b' as exhibit,
    corrector as row_label,
    'reordered' as column_label,
    sum(n_sentences)::double as reproduced

from supplement_profiles
where measure = 'word_order' and bin < 1
group by corrector
