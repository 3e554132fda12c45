-- The references of every set: one row per sentence and existing reference, in the order of the
-- manifest (annotators in order of name).
with

reference_sets as (

    select * from {{ source('raw', 'reference_sets') }}

),

annotation_texts as (

    select
        texts.*,
        annotators.position

    from {{ ref('annotation_texts') }} as texts
    inner join {{ source('raw', 'annotators') }} as annotators
        using (corpus, annotation_set, annotator)

),

listed as (

    select
        members.corpus,
        members.reference_set,
        members.position,
        members.reference,
        texts.sentence_id,
        texts.text

    from {{ source('raw', 'reference_set_members') }} as members
    inner join reference_sets using (corpus, reference_set)
    inner join {{ ref('usable_references') }} as texts using (corpus, reference)
    where texts.text <> '' or reference_sets.empty_references is distinct from 'none'

    union all

    select
        reference_sets.corpus,
        reference_sets.reference_set,
        annotation_texts.position,
        annotation_texts.annotator as reference,
        annotation_texts.sentence_id,
        annotation_texts.text

    from reference_sets
    inner join annotation_texts using (corpus, annotation_set)
    where not reference_sets.has_texts

)

select
    listed.*,
    {{ text_key('listed.text', 'corpora.language') }} as text_id

from listed
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
