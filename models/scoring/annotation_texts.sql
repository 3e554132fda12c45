-- Reference text made from M2: all edits of each annotator applied, the source where there are
-- none. An edit that starts before an earlier one has ended cannot be applied and is skipped.
with

reference_sets as (

    select * from {{ ref('stg_corpus__reference_sets') }}
    where not has_texts

),

annotators as (

    select * from {{ ref('stg_m2__annotators') }}

),

sentences as (

    select * from {{ ref('stg_corpus__sentences') }}

),

annotations as (

    select distinct
        annotators.corpus,
        annotators.annotation_set,
        annotators.annotator,
        sentences.sentence_id,
        {{ natural_key([
            'annotators.corpus', 'annotators.annotation_set', 'annotators.annotator',
            'sentences.sentence_id'
        ]) }} as unit_id,
        sentences.tokens

    from reference_sets
    inner join annotators
        on
            reference_sets.corpus = annotators.corpus
            and reference_sets.annotation_set = annotators.annotation_set
    inner join sentences on annotators.corpus = sentences.corpus

),

edits as (

    select * from {{ ref('stg_m2__edits') }}
    where not is_noop

),

located as (

    select
        annotations.unit_id,
        edits.start_token,
        edits.end_token,
        edits.correction,
        edits.edit_index as application_order,
        max(edits.end_token) over (
            partition by annotations.unit_id
            order by edits.start_token, edits.end_token, edits.edit_index
            rows between unbounded preceding and 1 preceding
        ) as furthest_end

    from annotations
    inner join edits
        on
            annotations.corpus = edits.corpus
            and annotations.annotation_set = edits.annotation_set
            and annotations.annotator = edits.annotator
            and annotations.sentence_id = edits.sentence_id

),

applied as (

    select * from located
    where furthest_end is null or start_token >= furthest_end

),

corrected as (

    {{ corrected_text('annotations', 'applied') }}

)

select
    annotations.corpus,
    annotations.annotation_set,
    annotations.annotator,
    annotations.sentence_id,
    trim(corrected.text, ' ') as text

from annotations
inner join corrected on annotations.unit_id = corrected.unit_id
