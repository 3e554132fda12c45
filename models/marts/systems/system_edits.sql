-- Every edit of every system output, and the references with the same edit (same span, same
-- correction).
with

edits as (

    select
        inputs.corpus,
        inputs.reference_set,
        inputs.system,
        inputs.sentence_id,
        inputs.matched_gold_key,
        inputs.matched_gold_kind,
        hypothesis_edits.*

    from {{ ref('system_inputs') }} as inputs
    inner join {{ ref('hypothesis_edits') }} as hypothesis_edits
        on inputs.edits_key = hypothesis_edits.annotation_key
    -- If the references' edits are unknown, matches are unknown as well.
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
    inner join {{ ref('typed_gold_edits') }} as gold_edits
        on
            edits.matched_gold_key = gold_edits.gold_key
            and edits.start_token = gold_edits.start_token
            and edits.end_token = gold_edits.end_token
            and edits.correction = gold_edits.correction
    inner join {{ ref('reference_names') }} as reference_names
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
inner join {{ ref('usable_sentences') }} as sentences using (corpus, sentence_id)
left join matches using (corpus, reference_set, system, sentence_id, edit_index)
