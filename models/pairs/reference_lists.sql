-- The references of a sentence as one unit, in order: what multi-reference metrics read. Beside
-- them, where the set is annotated, its edits as a unit of their own (gold_key; 0 where it is not).
with

reference_texts as (

    select * from {{ ref('reference_texts') }}

),

listed as (

    select
        corpus,
        reference_set,
        sentence_id,
        list(text_id order by position) as text_ids,
        bool_or(text = '') as has_empty_reference

    from reference_texts
    group by all

),

reference_sets as (

    select * from {{ ref('stg_corpus__reference_sets') }}

),

annotated_gold as (

    select * from {{ ref('annotated_gold') }}

)

select
    listed.corpus,
    listed.reference_set,
    listed.sentence_id,
    listed.text_ids,
    len(listed.text_ids) as n_references,
    listed.has_empty_reference,
    {{ content_key('listed.text_ids::varchar') }} as references_key,
    coalesce(annotated_gold.gold_key, 0) as gold_key,
    coalesce(annotated_gold.has_errant_types, false) as has_errant_types

from listed
inner join reference_sets
    on
        listed.corpus = reference_sets.corpus
        and listed.reference_set = reference_sets.reference_set
left join annotated_gold
    on
        reference_sets.corpus = annotated_gold.corpus
        and reference_sets.annotation_set = annotated_gold.annotation_set
        and listed.sentence_id = annotated_gold.sentence_id
