-- Who made the edits that the lattices of each mode consist of, and whether their annotators made
-- the references that metrics are shown with them: by the manifest, as a set that has the texts and
-- the edits of the same annotators, or edits that were extracted from these texts.
select
    lattices.corpus,
    lattices.mode,
    if(extracted_sets.annotation_set is null, 'annotators', 'references') as lattices_from,
    if(
        coalesce(
            reference_sets.annotation_set = lattices.annotation_set
            or extracted_sets.reference_set = lattices.reference_set,
            false
        ),
        'own',
        'disjoint_set'
    ) as references_mode

from {{ source('raw', 'lattices') }} as lattices
left join {{ source('raw', 'reference_sets') }} as reference_sets using (corpus, reference_set)
left join {{ source('raw', 'extracted_sets') }} as extracted_sets
    on
        lattices.corpus = extracted_sets.corpus
        and lattices.annotation_set = extracted_sets.annotation_set
where lattices.mode in {{ modes() }}
