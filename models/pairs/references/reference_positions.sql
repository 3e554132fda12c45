-- The references of every set in the order of the manifest; annotators in order of name.
select
    corpus,
    reference_set,
    position::integer as position,
    reference

from {{ source('raw', 'reference_set_members') }}

union all

select
    reference_sets.corpus,
    reference_sets.reference_set,
    annotators.position::integer as position,
    annotators.annotator as reference

from {{ source('raw', 'reference_sets') }} as reference_sets
inner join {{ source('raw', 'annotators') }} as annotators using (corpus, annotation_set)
where not reference_sets.has_texts
