-- What stands at each position of a sentence's references, in the three kinds that families read:
-- texts, gold edits, and gold edits with ERRANT's types. The positions of gold edits are annotators
-- where the set is annotated, else the texts that the edits were extracted from.
with

texts as (

    select * from {{ ref('reference_positions') }}

),

kinds as (

    select unnest(['texts', 'gold', 'typed_gold']) as kind

),

annotated as (

    select
        corpus,
        reference_set,
        bool_or(gold_key <> 0) as has_gold

    from {{ ref('reference_lists') }}
    group by corpus, reference_set

),

from_annotators as (

    select
        annotated.corpus,
        annotated.reference_set,
        kinds.kind,
        kinds.kind in ('gold', 'typed_gold') and annotated.has_gold as is_annotated

    from annotated
    cross join kinds

)

select
    texts.corpus,
    texts.reference_set,
    from_annotators.kind,
    texts.position,
    texts.reference

from from_annotators
inner join texts using (corpus, reference_set)
where not from_annotators.is_annotated

union all

select
    reference_sets.corpus,
    reference_sets.reference_set,
    from_annotators.kind,
    annotators.position,
    annotators.annotator as reference

from from_annotators
inner join {{ source('raw', 'reference_sets') }} as reference_sets using (corpus, reference_set)
inner join {{ source('raw', 'annotators') }} as annotators
    on
        reference_sets.corpus = annotators.corpus
        and reference_sets.annotation_set = annotators.annotation_set
where from_annotators.is_annotated
