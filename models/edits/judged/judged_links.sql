-- The corpus sentences of judged items: by the number in the manifest, else by text. A sentence
-- that is identical with the source comes first, then one that differs in case or tokenisation,
-- then the output of a system of the corpus (JFLEG's spell-checked sentences). Of equal candidates
-- the first counts.
with

items as (

    select * from {{ source('raw', 'judged_items') }}

),

sentences as (

    select * from {{ ref('usable_sentences') }}

),

texts as (

    select
        corpus,
        sentence_id,
        false as is_output,
        array_to_string(tokens, ' ') as text

    from sentences

    union all

    select
        corpus,
        sentence_id,
        true as is_output,
        text

    from {{ ref('usable_outputs') }}

),

by_text as (

    select
        items.judgment_set,
        items.item,
        texts.corpus,
        arg_min(
            texts.sentence_id,
            (
                texts.is_output,
                {{ without_blanks('items.source') }} <> {{ without_blanks('texts.text') }},
                texts.sentence_id
            )
        )::integer as sentence_id,
        if(bool_and(texts.is_output), 'output', 'source') as linked_by

    from items
    inner join texts on {{ letters_of('items.source') }} = {{ letters_of('texts.text') }}
    where items.linked_corpus is null
    group by items.judgment_set, items.item, texts.corpus

),

by_number as (

    select
        items.judgment_set,
        items.item,
        sentences.corpus,
        sentences.sentence_id,
        'number' as linked_by

    from items
    inner join sentences
        on
            items.linked_corpus = sentences.corpus
            and items.sentence_id = sentences.sentence_id

)

select * from by_text
union all
select * from by_number
