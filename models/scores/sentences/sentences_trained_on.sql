-- The sentences of the half of a corpus that a metric was trained on, if it scores the other half:
-- those with a source of that half, whether or not they had a text to train on.
with

trainings as (

    select
        trained_on,
        unnest(half_sources) as source

    from {{ ref('stg_char_lm__trainings') }}

),

families as (

    select distinct
        family,
        trained_on_half_of

    from {{ ref('metric_registry') }}
    where trained_on_half_of is not null

),

sentences as (

    select
        corpus,
        sentence_id,
        array_to_string(tokens, ' ') as source

    from {{ ref('stg_corpus__sentences') }}

)

select
    families.family,
    sentences.corpus,
    sentences.sentence_id

from families
inner join sentences on families.trained_on_half_of = sentences.corpus
inner join trainings
    on
        sentences.corpus = trainings.trained_on
        and sentences.source = trainings.source
