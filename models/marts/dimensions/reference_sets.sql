-- The lists of references that metrics compare with, and `none` for metrics that read no
-- references.
with

members as (

    select
        corpus,
        reference_set,
        count(*) as n_references

    from {{ ref('reference_names') }}
    where kind = 'texts'
    group by corpus, reference_set

),

listed as (

    select
        reference_sets.corpus,
        reference_sets.reference_set,
        if(reference_sets.has_texts, 'texts', 'edits') as kind,
        reference_sets.annotation_set,
        coalesce(members.n_references, 0)::integer as n_references,
        -- The same rule as `maege compare --corpus`.
        row_number() over (
            partition by reference_sets.corpus
            order by reference_sets.annotation_set is null, reference_sets.position
        ) = 1 as is_default

    from {{ source('raw', 'reference_sets') }} as reference_sets
    left join members using (corpus, reference_set)

)

select * from listed

union all

select
    corpora.corpus,
    'none' as reference_set,
    'none' as kind,
    null as annotation_set,
    0 as n_references,
    false as is_default

from {{ source('raw', 'corpora') }} as corpora
anti join listed
    on
        corpora.corpus = listed.corpus
        and listed.reference_set = 'none'
