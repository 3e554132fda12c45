-- Every distinct text that a metric may read; text_id is made from the text itself.
with

sentences as (

    select * from {{ ref('stg_corpus__sentences') }}

),

outputs as (

    select * from {{ ref('stg_corpus__outputs') }}

),

originals as (

    select array_to_string(tokens, ' ') as text from sentences

),

all_texts as (

    select text from {{ ref('node_texts') }}
    union
    select text from {{ ref('invalid_nodes') }}
    union
    select text from {{ ref('reference_texts') }}
    union
    select text from outputs
    union
    select text from {{ ref('adversarial_systems') }}
    union
    select text from originals

)

select
    {{ content_key('text') }} as text_id,
    text

from all_texts
