-- The source corpus of each draw of the random-source experiment: for every sentence an annotation
-- and a subset of its edits, both sampled uniformly. In the published run sentence i comes from one
-- of the eleven corpora.
with

annotations as (

    select * from {{ ref('lattice_annotations') }}

),

candidates as (

    select
        *,
        row_number() over (partition by corpus, sentence_id order by annotator) - 1 as place,
        count(*) over (partition by corpus, sentence_id) as n_annotations

    from annotations
    where is_sampled and not is_published_run

),

chosen as (

    select
        candidates.corpus,
        draws.draw,
        candidates.sentence_id,
        candidates.annotation_id,
        candidates.annotator

    from candidates
    cross join range(0, {{ var('corpus_draws') }}) as draws (draw)
    where
        candidates.place = floor({{ uniform('source annotator', [
            'candidates.corpus', 'draws.draw', 'candidates.sentence_id'
        ]) }} * candidates.n_annotations)

),

sampled as (

    select
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
    inner join {{ ref('annotation_edits') }} as edits using (annotation_id)
    group by chosen.corpus, chosen.draw, chosen.sentence_id, chosen.annotation_id
    {% if var('replication') %}
        union all

        select
            draw,
            sentence_id,
            annotation_id,
            mask

        from {{ ref('sampled_corpora_published') }}
        where is_source
    {% endif %}

)

select
    annotations.corpus,
    sampled.draw,
    sampled.sentence_id,
    sampled.annotation_id,
    {{ natural_key(['sampled.annotation_id', 'sampled.mask']) }} as node_id,
    sampled.mask

from sampled
inner join annotations using (annotation_id)
