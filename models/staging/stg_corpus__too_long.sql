-- Sentences of which the source, a reference or an output is too long to be parsed or aligned. All
-- of the sentence is left out, for every system, so that scores stay comparable. A token of more
-- than twenty characters on average is no token: the bound holds without white space, too.
{% set most_tokens = var('max_sentence_tokens') %}
{% set shown_characters = 200 %}
with

texts as (

    select
        corpus,
        sentence_id,
        'source' as kind,
        text
    from {{ source('raw', 'sentences') }}
    union all
    select
        corpus,
        sentence_id,
        'reference ' || reference as kind,
        text
    from {{ source('raw', 'references') }}
    union all
    select
        corpus,
        sentence_id,
        'output of ' || system as kind,
        text
    from {{ source('raw', 'outputs') }}
    union all
    select
        corpus,
        sentence_id,
        'choice ' || rank || ' of ' || system as kind,
        text
    from {{ source('raw', 'k_best') }}

),

-- So many tokens have no fewer characters, which are counted faster.
candidates as (

    select
        *,
        length(text) as n_characters,
        len(string_split_regex(trim(text), '\s+')) as n_tokens

    from texts
    where length(text) >= 2 * {{ most_tokens }}

),

longest as (

    select
        corpus,
        sentence_id,
        format(
            'the {} has {} tokens and {} characters; max_sentence_tokens is {{ most_tokens }}',
            kind,
            n_tokens,
            n_characters
        ) as reason

    from candidates
    where n_tokens > {{ most_tokens }} or n_characters > 20 * {{ most_tokens }}
    qualify
        row_number() over (
            partition by corpus, sentence_id
            order by n_tokens desc, n_characters desc, kind desc
        ) = 1

)

select
    longest.corpus,
    longest.sentence_id,
    longest.reason,
    left(sources.text, {{ shown_characters }}) as source_start

from longest
inner join {{ source('raw', 'sentences') }} as sources
    on
        longest.corpus = sources.corpus
        and longest.sentence_id = sources.sentence_id
