-- The only place that decides which sentences are left out, of everything and for every system, so
-- that scores stay comparable: whose source is blank, or of which the source, a reference or an
-- output is too long to be parsed or aligned. A token of more than twenty characters on average is
-- no token: the bound holds without white space, too.
{% set most_tokens = var('max_sentence_tokens') %}
with

texts as (

    select
        corpus,
        sentence_id,
        'source' as kind,
        text
    from {{ ref('stg_corpus__sentences') }}
    union all
    select
        corpus,
        sentence_id,
        'reference ' || reference as kind,
        text
    from {{ ref('stg_corpus__references') }}
    union all
    select
        corpus,
        sentence_id,
        'output of ' || system as kind,
        text
    from {{ ref('stg_corpus__outputs') }}
    union all
    select
        corpus,
        sentence_id,
        'choice ' || rank || ' of ' || system as kind,
        text
    from {{ ref('stg_corpus__k_best') }}

),

-- So many tokens have no fewer characters, which are counted faster.
candidates as (

    select
        *,
        length(text) as n_characters,
        len(string_split({{ squeezed('text') }}, ' ')) as n_tokens

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

),

blank as (

    select
        corpus,
        sentence_id

    from {{ ref('stg_corpus__sentences') }}
    where len(tokens) = 0

)

select
    corpus,
    sentence_id,
    'the source is blank' as reason,
    'write the sentence into the file of sources, or take its line out of all files' as remedy

from blank

union all

select
    longest.corpus,
    longest.sentence_id,
    longest.reason,
    'split the sentence, or raise the variable max_sentence_tokens' as remedy

from longest
anti join blank using (corpus, sentence_id)
