-- What has to be in the cache: for every family of statistics that a selected metric reads, the
-- distinct values of exactly the inputs that the family reads. An input that it does not read is 0.
with

families as (

    select distinct
        family,
        signature_key,
        reads_source,
        reads_references

    from {{ ref('metric_registry') }}
    where is_selected

),

pairs as (

    select * from {{ ref('scoring_pairs') }}

),

requests as (

    select
        families.family,
        families.signature_key,
        if(families.reads_source, pairs.source_text_id, 0) as source_text_id,
        pairs.hypothesis_text_id,
        if(families.reads_references, pairs.references_key, 0) as references_key,
        pairs.corpus,
        pairs.sentence_id

    from families
    cross join pairs

)

select
    family,
    signature_key,
    source_text_id,
    hypothesis_text_id,
    references_key,
    -- Pairs of one sentence share their n-grams, so they are scored together.
    min(corpus) as corpus,
    min(sentence_id) as sentence_id

from requests
group by family, signature_key, source_text_id, hypothesis_text_id, references_key
