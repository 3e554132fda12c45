-- Every distinct (source, hypothesis, references) that some table needs a score for. Corpus and
-- sentence only say which pairs share their words and are best scored together.
with

all_pairs as (

    select
        corpus,
        sentence_id,
        pair_id,
        source_text_id,
        hypothesis_text_id,
        references_key
    from {{ ref('chain_pairs') }}
    union all
    select
        corpus,
        sentence_id,
        pair_id,
        source_text_id,
        hypothesis_text_id,
        references_key
    from {{ ref('corpus_pairs') }}
    union all
    select
        corpus,
        sentence_id,
        pair_id,
        source_text_id,
        hypothesis_text_id,
        references_key
    from {{ ref('system_pairs') }}

)

select
    pair_id,
    source_text_id,
    hypothesis_text_id,
    references_key,
    min(corpus) as corpus,
    min(sentence_id) as sentence_id

from all_pairs
group by pair_id, source_text_id, hypothesis_text_id, references_key
