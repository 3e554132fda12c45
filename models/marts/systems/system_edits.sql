-- What each system changed: every edit of every output sentence, and which references have the same
-- one (same span, same correction).
with

inputs as (

    select * from {{ ref('system_inputs') }}

),

hypothesis_edits as (

    select * from {{ ref('hypothesis_edits') }}

),

gold_edits as (

    select * from {{ ref('typed_gold_edits') }}

),

sentences as (

    select * from {{ ref('usable_sentences') }}

),

reference_names as (

    select * from {{ ref('reference_names') }}

),

edits as (

    select
        inputs.corpus,
        inputs.reference_set,
        inputs.system,
        inputs.sentence_id,
        inputs.matched_gold_key,
        inputs.matched_gold_kind,
        hypothesis_edits.*

    from inputs
    inner join hypothesis_edits on inputs.edits_key = hypothesis_edits.annotation_key
    -- Where the references' edits are not known nobody can say which have the same.
    where inputs.matched_gold_key is not null

),

matches as (

    select
        edits.corpus,
        edits.reference_set,
        edits.system,
        edits.sentence_id,
        edits.edit_index,
        count(distinct reference_names.position) as n_references,
        string_agg(
            distinct reference_names.reference, ', ' order by reference_names.reference
        ) as matching_references

    from edits
    inner join gold_edits
        on
            edits.matched_gold_key = gold_edits.gold_key
            and edits.start_token = gold_edits.start_token
            and edits.end_token = gold_edits.end_token
            and edits.correction = gold_edits.correction
    inner join reference_names
        on
            edits.corpus = reference_names.corpus
            and edits.reference_set = reference_names.reference_set
            and edits.matched_gold_kind = reference_names.kind
            and gold_edits.position = reference_names.position
    group by all

)

select
    edits.corpus,
    edits.reference_set,
    edits.system,
    edits.sentence_id,
    edits.edit_index::integer as edit_index,
    edits.start_token,
    edits.end_token,
    array_to_string(sentences.tokens[edits.start_token + 1:edits.end_token], ' ') as original,
    edits.correction,
    edits.error_type,
    coalesce(matches.n_references, 0)::integer as n_references,
    matches.matching_references

from edits
inner join sentences
    on
        edits.corpus = sentences.corpus
        and edits.sentence_id = sentences.sentence_id
left join matches
    on
        edits.corpus = matches.corpus
        and edits.reference_set = matches.reference_set
        and edits.system = matches.system
        and edits.sentence_id = matches.sentence_id
        and edits.edit_index = matches.edit_index
