-- The corpora that metrics have to rank: the subset of edits applied to each sentence.
with

sampled_annotations as (

    select
        *,
        row_number() over (partition by corpus, sentence_id order by annotator) - 1 as place,
        count(*) over (partition by corpus, sentence_id) as n_annotations

    from {{ ref('lattice_annotations') }}
    where is_sampled and not is_published_run

),

sentences as (

    select distinct
        corpus,
        sentence_id,
        n_annotations

    from sampled_annotations

),

models as (

    select distinct expected_edits from {{ ref('corpus_model_edit_counts') }}

),

draws as (

    select
        sentences.corpus,
        draws.draw,
        models.expected_edits,
        sentences.sentence_id,
        floor({{ uniform('corpus annotator', [
            'sentences.corpus', 'draws.draw', 'models.expected_edits', 'sentences.sentence_id'
        ]) }} * sentences.n_annotations) as place,
        {{ uniform('corpus edit count', [
            'sentences.corpus', 'draws.draw', 'models.expected_edits', 'sentences.sentence_id'
        ]) }} as count_draw

    from sentences
    cross join models
    cross join range(0, {{ var('corpus_draws') }}) as draws (draw)

),

counted as (

    select
        draws.corpus,
        draws.draw,
        draws.expected_edits,
        draws.sentence_id,
        draws.place,
        min(edit_counts.n_edits) as n_edits

    from draws
    inner join {{ ref('corpus_model_edit_counts') }} as edit_counts
        on
            draws.expected_edits = edit_counts.expected_edits
            and draws.count_draw < edit_counts.cumulative
    group by all

),

chosen as (

    select
        counted.corpus,
        counted.draw,
        counted.expected_edits,
        counted.sentence_id,
        sampled_annotations.annotation_id,
        sampled_annotations.annotator,
        counted.n_edits,
        sampled_annotations.n_edits as n_available

    from counted
    inner join sampled_annotations using (corpus, sentence_id, place)

),

-- Only a proper subset needs an order of the edits.
ordered_edits as (

    select
        chosen.corpus,
        chosen.draw,
        chosen.expected_edits,
        chosen.sentence_id,
        chosen.annotation_id,
        chosen.n_edits,
        edits.edit_bit,
        row_number() over (
            partition by chosen.corpus, chosen.draw, chosen.expected_edits, chosen.sentence_id
            order by
                {{ uniform('corpus edits', [
                    'chosen.corpus', 'chosen.draw', 'chosen.expected_edits',
                    'chosen.sentence_id', 'chosen.annotator', 'edits.edit_index'
                ]) }},
                edits.edit_index
        ) as place

    from chosen
    inner join {{ ref('annotation_edits') }} as edits using (annotation_id)
    where chosen.n_edits > 0 and chosen.n_edits < chosen.n_available

),

-- For every draw, corpus model and sentence: an annotation, a number of edits and a subset of that
-- size, each sampled uniformly; one row per sampled correction.
sampled_here as (

    select
        corpus,
        draw::integer as draw,
        expected_edits,
        sentence_id,
        annotation_id,
        sum(edit_bit)::bigint as mask

    from ordered_edits
    where place <= n_edits
    group by all

    union all

    select
        corpus,
        draw::integer as draw,
        expected_edits,
        sentence_id,
        annotation_id,
        if(n_edits = 0, 0, (1::bigint << n_available) - 1) as mask

    from chosen
    where n_edits = 0 or n_edits >= n_available

),

sampled as (

    select
        draw,
        expected_edits,
        sentence_id,
        annotation_id,
        mask
    from sampled_here
    {% if var('replication') %}
        union all
        select
            draw,
            expected_edits,
            sentence_id,
            annotation_id,
            mask
        from {{ ref('sampled_corpora_published') }}
    {% endif %}

)

select
    annotations.corpus,
    sampled.draw,
    sampled.expected_edits,
    sampled.sentence_id,
    sampled.annotation_id,
    {{ natural_key(['sampled.annotation_id', 'sampled.mask']) }} as node_id,
    sampled.mask

from sampled
inner join {{ ref('lattice_annotations') }} as annotations using (annotation_id)
