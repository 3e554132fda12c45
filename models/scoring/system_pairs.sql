-- What metrics read for every sentence of every system output, against every reference set.
with

outputs as (

    select * from {{ ref('stg_corpus__outputs') }}

),

sentences as (

    select * from {{ ref('stg_corpus__sentences') }}

),

reference_lists as (

    select * from {{ ref('reference_lists') }}

),

triples as (

    select
        outputs.corpus,
        reference_lists.reference_set,
        outputs.system,
        outputs.sentence_id,
        {{ content_key("array_to_string(sentences.tokens, ' ')") }} as source_text_id,
        {{ content_key('outputs.text') }} as hypothesis_text_id,
        reference_lists.references_key

    from outputs
    inner join sentences
        on
            outputs.corpus = sentences.corpus
            and outputs.sentence_id = sentences.sentence_id
    inner join reference_lists
        on
            outputs.corpus = reference_lists.corpus
            and outputs.sentence_id = reference_lists.sentence_id

)

select
    *,
    {{ pair_key('source_text_id', 'hypothesis_text_id', 'references_key') }} as pair_id

from triples
