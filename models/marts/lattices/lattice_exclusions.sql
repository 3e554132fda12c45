-- What the lattices leave out, and why: a whole sentence (annotator is null), or one annotation of
-- a sentence that stays.
with

annotations as (

    select * from {{ ref('lattice_annotations') }}

),

sentences as (

    select distinct
        corpus,
        mode,
        sentence_id,
        null::varchar as annotator,
        sentence_exclusion as reason

    from annotations
    where sentence_exclusion is not null

),

long_sentences as (

    select
        lattices.corpus,
        lattices.mode,
        too_long.sentence_id,
        null::varchar as annotator,
        'sentence: ' || too_long.reason as reason

    from {{ ref('stg_corpus__too_long') }} as too_long
    inner join {{ ref('stg_corpus__lattices') }} as lattices on too_long.corpus = lattices.corpus

),

single_annotations as (

    select
        corpus,
        mode,
        sentence_id,
        annotator,
        annotation_exclusion as reason

    from annotations
    where sentence_exclusion is null and annotation_exclusion is not null

),

excluded as (

    select * from sentences
    union all
    select * from long_sentences
    union all
    select * from single_annotations

)

select
    corpus,
    mode,
    sentence_id,
    annotator,
    reason,
    {{ lattices_from('excluded') }}

from excluded
