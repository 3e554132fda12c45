-- Annotation sets of reference sets whose edits do not have ERRANT's types, in languages with
-- ERRANT's rules and a pipeline: ERRANT assigns types to their edits.
with

extractors as (

    select * from {{ ref('edit_extractor') }}
    where has_types and pipeline_key is not null

),

types as (

    select
        corpus,
        annotation_set,
        {{ has_errant_types() }} as has_errant_types

    from {{ ref('usable_edits') }}
    group by corpus, annotation_set

)

select distinct
    types.corpus,
    types.annotation_set,
    corpora.language,
    extractors.extractor_key,
    extractors.pipeline_key

from types
inner join {{ source('raw', 'reference_sets') }} using (corpus, annotation_set)
inner join {{ source('raw', 'corpora') }} as corpora using (corpus)
inner join extractors using (language)
where not types.has_errant_types
