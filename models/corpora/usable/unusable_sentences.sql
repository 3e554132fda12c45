-- Sentences that are excluded from everything and for every system, so that scores stay comparable:
-- the source is blank, or the source, a reference or an output is too long to be parsed or aligned.
-- For texts without white space the limit is 20 characters per allowed token.
{% set most_tokens = var('max_sentence_tokens') %}
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

-- A quick test of the length: n tokens have at least n characters.
candidates as (

    select
        * exclude (text),
        length({{ squeezed('text') }}) as n_characters,
        len(string_split({{ squeezed('text') }}, ' ')) as n_tokens

    from texts
    where length(text) >= 2 * {{ most_tokens }}

),

longest as (

    select *
    from candidates
    where n_tokens > {{ most_tokens }} or n_characters > 20 * {{ most_tokens }}
    qualify
        row_number() over (
            partition by corpus, sentence_id
            order by n_tokens desc, n_characters desc, kind desc
        ) = 1

)

select
    corpus,
    sentence_id,
    if(len(sentences.tokens) = 0, 'blank_source', 'too_long') as reason_code,
    longest.kind as text,
    longest.n_tokens,
    longest.n_characters,
    {{ most_tokens }} as n_most_tokens

from {{ source('raw', 'sentences') }} as sentences
left join longest using (corpus, sentence_id)
where len(sentences.tokens) = 0 or longest.n_tokens is not null
