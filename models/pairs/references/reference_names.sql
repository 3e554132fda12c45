-- The reference or annotator at each position of a reference set, in the three kinds that families
-- read: texts, gold edits, and gold edits with ERRANT's types. Positions follow the manifest, those
-- of annotators their names. Gold edits have the positions of annotators if the set is annotated,
-- else those of the texts that the edits were extracted from.
with

reference_sets as (

    select * from {{ source('raw', 'reference_sets') }}

),

annotators as (

    select
        reference_sets.corpus,
        reference_sets.reference_set,
        annotators.position::integer as position,
        annotators.annotator as reference

    from reference_sets
    inner join {{ source('raw', 'annotators') }} as annotators using (corpus, annotation_set)

),

texts as (

    select
        corpus,
        reference_set,
        position::integer as position,
        reference
    from {{ source('raw', 'reference_set_members') }}

    union all

    select annotators.*
    from annotators
    inner join reference_sets using (corpus, reference_set)
    where not reference_sets.has_texts

),

annotated as (

    select distinct
        reference_sets.corpus,
        reference_sets.reference_set

    from reference_sets
    inner join {{ ref('annotated_gold') }} as gold using (corpus, annotation_set)
    inner join {{ ref('listed_references') }} as listed
        on
            reference_sets.corpus = listed.corpus
            and reference_sets.reference_set = listed.reference_set
            and gold.sentence_id = listed.sentence_id

),

gold as (

    select texts.*
    from texts
    anti join annotated using (corpus, reference_set)

    union all

    select annotators.*
    from annotators
    semi join annotated using (corpus, reference_set)

)

select
    'texts' as kind,
    *
from texts

union all

select
    unnest(['gold', 'typed_gold']) as kind,
    *
from gold
