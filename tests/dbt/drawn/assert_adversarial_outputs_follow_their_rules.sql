-- For any random numbers: each reference set has every adversarial output for all of its sentences,
-- words in another order are the same words, at most one word is doubled, a prompt follows the
-- source, and references are copied from the sentence itself or from others.
with

outputs as (

    select
        *,
        list_sort(string_split(text, ' ')) as words

    from {{ ref('adversarial_systems') }}

),

sources as (

    select * from outputs
    where system = 'source'

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
        outputs.corpus,
        outputs.reference_set,
        outputs.system,
        'other sentences' as fault

    from outputs
    inner join n_sentences
        on
            outputs.corpus = n_sentences.corpus
            and outputs.reference_set = n_sentences.reference_set
    group by outputs.corpus, outputs.reference_set, outputs.system
    having
        count(*) <> any_value(n_sentences.n)
        or count(distinct outputs.sentence_id) <> any_value(n_sentences.n)

),

with_other_words as (

    select
        outputs.corpus,
        outputs.reference_set,
        outputs.system,
        'other words' as fault

    from outputs
    inner join sources
        on
            outputs.corpus = sources.corpus
            and outputs.reference_set = sources.reference_set
            and outputs.sentence_id = sources.sentence_id
    where
        (outputs.system = 'shuffled' and outputs.words <> sources.words)
        or (
            outputs.system = 'injected_prompt'
            and not starts_with(outputs.text, sources.text || ' ')
        )
        or (
            outputs.system = 'doubled_word'
            and (
                len(outputs.words) - len(sources.words) not in (0, 1)
                or list_sort(list_distinct(outputs.words))
                <> list_sort(list_distinct(sources.words))
            )
        )

),

not_of_the_sentence as (

    select
        outputs.corpus,
        outputs.reference_set,
        outputs.system,
        'no reference of the sentence' as fault

    from outputs
    anti join reference_texts
        on
            outputs.corpus = reference_texts.corpus
            and outputs.reference_set = reference_texts.reference_set
            and outputs.sentence_id = reference_texts.sentence_id
            and outputs.text = reference_texts.text
    where outputs.system = 'own_reference'

),

not_of_another_sentence as (

    select
        outputs.corpus,
        outputs.reference_set,
        outputs.system,
        'no reference of another sentence' as fault

    from outputs
    anti join reference_texts
        on
            outputs.corpus = reference_texts.corpus
            and outputs.reference_set = reference_texts.reference_set
            and outputs.text = reference_texts.text
            and outputs.sentence_id <> reference_texts.sentence_id
    where outputs.system = 'other_reference'

)

select * from incomplete
union all
select * from with_other_words
union all
select * from not_of_the_sentence
union all
select * from not_of_another_sentence
