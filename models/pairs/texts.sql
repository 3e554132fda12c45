-- Every distinct text that a metric may read. text_id is computed from the text and its language.
with

originals as (

    select
        corpus,
        array_to_string(tokens, ' ') as text
    from {{ ref('usable_sentences') }}

),

texts_of_corpora as (

    select
        corpus,
        text
    from {{ ref('node_texts') }}
    union
    select
        corpus,
        text
    from {{ ref('corrupted_nodes') }}
    union
    select
        corpus,
        text
    from {{ ref('listed_references') }}
    union
    select
        corpus,
        text
    from {{ ref('usable_outputs') }}
    union
    select
        corpus,
        text
    from {{ ref('adversarial_systems') }}
    union
    select
        corpus,
        text
    from originals
    union
    select
        corpus,
        unnest([source, text]) as text
    from {{ ref('crowd_texts') }}

),

all_texts as (

    select distinct
        corpora.language,
        texts_of_corpora.text

    from texts_of_corpora
    inner join {{ source('raw', 'corpora') }} as corpora using (corpus)

)

select
    {{ text_key('text', 'language') }} as text_id,
    language,
    text

from all_texts
