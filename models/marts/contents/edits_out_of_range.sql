-- Annotators' edits whose span is none of their sentence, and what `maege ingest` made of them.
with

edits as (

    select * from {{ ref('stg_m2__edits_out_of_range') }}

),

sentences as (

    select * from {{ ref('stg_corpus__sentences') }}

)

select
    edits.corpus,
    edits.path,
    edits.line,
    edits.annotation_set,
    edits.annotator,
    edits.sentence_id,
    len(sentences.tokens)::integer as n_tokens,
    edits.start_token,
    edits.end_token,
    edits.error_type,
    edits.correction,
    edits.treatment

from edits
inner join sentences
    on
        edits.corpus = sentences.corpus
        and edits.sentence_id = sentences.sentence_id
