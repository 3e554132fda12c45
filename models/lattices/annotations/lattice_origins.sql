-- Who made the edits that the lattices of each mode consist of.
with

lattices as (

    select * from {{ ref('stg_corpus__lattices') }}

),

extracted_sets as (

    select * from {{ ref('stg_corpus__extracted_sets') }}

)

select
    lattices.corpus,
    lattices.mode,
    if(extracted_sets.annotation_set is null, 'annotators', 'references') as lattices_from

from lattices
left join extracted_sets
    on
        lattices.corpus = extracted_sets.corpus
        and lattices.annotation_set = extracted_sets.annotation_set
