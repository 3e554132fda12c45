-- Mode `paper`: the corpus of sources of the random-source experiment, for every draw and sentence
-- an annotation and a subset of its edits, both uniform.
with

annotations as (

    select
        *,
        row_number() over (partition by corpus, sentence_id order by annotator) - 1 as place,
        count(*) over (partition by corpus, sentence_id) as n_annotations

    from {{ ref('lattice_annotations') }}
    where mode = 'paper' and is_sampled

),

edits as (

    select * from {{ ref('annotation_edits') }}
    where mode = 'paper'

),

chosen as (

    select
        annotations.corpus,
        draws.draw,
        annotations.sentence_id,
        annotations.annotation_id,
        annotations.annotator

    from annotations
    cross join range(0, {{ var('corpus_draws') }}) as draws (draw)
    where
        annotations.place = floor({{ uniform('source annotator', [
            'annotations.corpus', 'draws.draw', 'annotations.sentence_id'
        ]) }} * annotations.n_annotations)

)

select
    chosen.corpus,
    chosen.draw::integer as draw,
    chosen.sentence_id,
    chosen.annotation_id,
    -- Each edit with probability one half: every subset is equally likely.
    coalesce(sum(edits.edit_bit) filter (
        where {{ uniform('source edits', [
            'chosen.corpus', 'chosen.draw', 'chosen.sentence_id', 'chosen.annotator',
            'edits.edit_index'
        ]) }} < 0.5
    ), 0)::bigint as mask

from chosen
inner join edits on chosen.annotation_id = edits.annotation_id
group by all
