-- The annotations whose full lattices compare corpora with each other: of sentences that other
-- annotators correct as well, if the corpus has any, else of all. At most two per sentence and a
-- fixed number of random sentences, so that a large corpus costs no more than a small one.
{% set most_edits = 5 %}
{% set most_annotations = 2 %}
{% set most_with_edit_metrics = 200 %}
with

annotations as (

    select
        *,
        count(*) over (partition by corpus, sentence_id) - 1 as n_others

    from {{ ref('lattice_annotations') }}
    where not is_published_run and sentence_exclusion is null and n_edits > 0

),

candidates as (

    select
        *,
        {{ uniform('compared sentence', ['corpus', 'sentence_id']) }} as sentence_draw,
        {{ uniform('compared annotation', ['corpus', 'sentence_id', 'annotator']) }}
            as annotation_draw

    from annotations
    where is_in_lattice and n_edits <= {{ most_edits }}
    qualify n_others > 0 or max(n_others) over (partition by corpus) = 0

),

drawn as (

    select
        *,
        dense_rank() over (partition by corpus order by sentence_draw, sentence_id)
            as sentence_place,
        row_number() over (
            partition by corpus, sentence_id order by annotation_draw, annotator
        ) as annotation_place

    from candidates

)

select
    corpus,
    sentence_id,
    annotator,
    annotation_id,
    n_edits,
    -- Edit-based and slow metrics score only the first sentences.
    sentence_place <= {{ most_with_edit_metrics }} as has_edit_metrics

from drawn
where
    sentence_place <= {{ var('compared_sentences') }}
    and annotation_place <= {{ most_annotations }}
