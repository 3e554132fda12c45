-- The references of a sentence as one list, in order, for multi-reference metrics; NULL is a
-- missing reference. If the set is annotated, it also has the keys of the annotators' edits and of
-- those with ERRANT's types (gold_key and typed_gold_key), else 0.
with

reference_texts as (

    select * from {{ ref('listed_references') }}

),

sentences as (

    select distinct
        corpus,
        reference_set,
        sentence_id

    from reference_texts

),

listed as (

    select
        sentences.corpus,
        sentences.reference_set,
        sentences.sentence_id,
        list(reference_texts.text_id order by positions.position) as text_ids,
        coalesce(bool_or(trim(reference_texts.text, ' ') = ''), false) as has_empty_reference

    from sentences
    inner join {{ ref('reference_names') }} as positions
        on
            sentences.corpus = positions.corpus
            and sentences.reference_set = positions.reference_set
            and positions.kind = 'texts'
    left join reference_texts
        on
            sentences.corpus = reference_texts.corpus
            and sentences.reference_set = reference_texts.reference_set
            and sentences.sentence_id = reference_texts.sentence_id
            and positions.position = reference_texts.position
    group by all

)

select
    listed.corpus,
    listed.reference_set,
    listed.sentence_id,
    listed.text_ids,
    list_count(listed.text_ids) as n_references,
    listed.has_empty_reference,
    {{ content_key('listed.text_ids::varchar') }} as references_key,
    coalesce(annotated_gold.gold_key, 0) as gold_key,
    coalesce(annotated_gold.typed_gold_key, 0) as typed_gold_key

from listed
inner join {{ source('raw', 'reference_sets') }} as reference_sets using (corpus, reference_set)
left join {{ ref('annotated_gold') }} as annotated_gold
    on
        reference_sets.corpus = annotated_gold.corpus
        and reference_sets.annotation_set = annotated_gold.annotation_set
        and listed.sentence_id = annotated_gold.sentence_id
