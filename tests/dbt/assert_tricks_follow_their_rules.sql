-- Whatever chance has drawn: each reference set has every trick for all of its sentences, words in
-- another order are the same words, one word is doubled at most, and references are copied from the
-- sentence itself or from others.
with

tricks as (

    select
        *,
        list_sort(string_split(text, ' ')) as words

    from {{ ref('adversarial_systems') }}

),

sources as (

    select * from tricks
    where trick = 'source'

),

reference_texts as (

    select * from {{ ref('listed_references') }}

),

n_sentences as (

    select
        corpus,
        reference_set,
        count(*) as n

    from sources
    group by corpus, reference_set

),

incomplete as (

    select
        tricks.corpus,
        tricks.reference_set,
        tricks.trick,
        'other sentences' as fault

    from tricks
    inner join n_sentences
        on
            tricks.corpus = n_sentences.corpus
            and tricks.reference_set = n_sentences.reference_set
    group by tricks.corpus, tricks.reference_set, tricks.trick
    having
        count(*) <> any_value(n_sentences.n)
        or count(distinct tricks.sentence_id) <> any_value(n_sentences.n)

),

with_other_words as (

    select
        tricks.corpus,
        tricks.reference_set,
        tricks.trick,
        'other words' as fault

    from tricks
    inner join sources
        on
            tricks.corpus = sources.corpus
            and tricks.reference_set = sources.reference_set
            and tricks.sentence_id = sources.sentence_id
    where
        (tricks.trick = 'shuffled' and tricks.words <> sources.words)
        or (
            tricks.trick = 'doubled_word'
            and (
                len(tricks.words) - len(sources.words) not in (0, 1)
                or list_sort(list_distinct(tricks.words)) <> list_sort(list_distinct(sources.words))
            )
        )

),

not_of_the_sentence as (

    select
        tricks.corpus,
        tricks.reference_set,
        tricks.trick,
        'no reference of the sentence' as fault

    from tricks
    anti join reference_texts
        on
            tricks.corpus = reference_texts.corpus
            and tricks.reference_set = reference_texts.reference_set
            and tricks.sentence_id = reference_texts.sentence_id
            and tricks.text = reference_texts.text
    where tricks.trick = 'own_reference'

),

not_of_another_sentence as (

    select
        tricks.corpus,
        tricks.reference_set,
        tricks.trick,
        'no reference of another sentence' as fault

    from tricks
    anti join reference_texts
        on
            tricks.corpus = reference_texts.corpus
            and tricks.reference_set = reference_texts.reference_set
            and tricks.text = reference_texts.text
            and tricks.sentence_id <> reference_texts.sentence_id
    where tricks.trick = 'other_reference'

)

select * from incomplete
union all
select * from with_other_words
union all
select * from not_of_the_sentence
union all
select * from not_of_another_sentence
