-- The annotations of the lattices of each corpus, and the references that metrics read for them.
select
    corpus,
    lattices.annotation_set,
    lattices.lattices_from,
    lattices.reference_set,
    lattices.references_mode,
    (count(distinct annotations.sentence_id) filter (where annotations.is_in_lattice))::integer
        as n_sentences,
    (count(*) filter (where annotations.is_in_lattice))::integer as n_annotations,
    coalesce(sum(annotations.n_edits) filter (where annotations.is_in_lattice), 0)::integer
        as n_edits

from {{ source('raw', 'lattices') }} as lattices
inner join {{ ref('lattice_annotations') }} as annotations using (corpus)
group by all
