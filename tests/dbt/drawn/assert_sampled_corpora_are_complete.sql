-- Every draw of every corpus model contains each sentence once, corrected by edits of its
-- annotation; so does the source corpus. M = 0 is the original. The score of a corpus is the mean
-- over exactly these sentences. For a user metric with missing scores, it is the mean over the
-- sentences with scores in all corpora of the draw.
with

annotations as (

    select * from {{ ref('lattice_annotations') }}
    where is_sampled

),

sentence_counts as (

    select
        corpus,
        count(distinct sentence_id) as n_sentences

    from annotations
    group by all

),

sampled as (

    select
        draw,
        expected_edits,
        sentence_id,
        annotation_id,
        mask

    from {{ ref('sampled_corpora') }}

    union all

    select
        draw,
        -1 as expected_edits,
        sentence_id,
        annotation_id,
        mask

    from {{ ref('sampled_sources') }}

),

corpora as (

    select
        annotations.corpus,
        sampled.draw,
        sampled.expected_edits,
        count(*) as n_rows,
        count(distinct sampled.sentence_id) as n_sentences,
        count(*) filter (
            where sampled.mask >> annotations.n_edits > 0
            or (sampled.expected_edits = 0 and sampled.mask > 0)
        ) as n_impossible

    from sampled
    inner join annotations on sampled.annotation_id = annotations.annotation_id
    group by all

),

draw_counts as (

    select
        corpus,
        count(*) as n_corpora

    from corpora
    group by all

),

score_counts as (

    select
        corpus,
        min(n_sentences) as fewest_scored,
        max(n_sentences) as most_scored

    from {{ ref('sampled_corpus_scores') }}
    where metric not in (select incomplete.metric from {{ ref('unscored_pairs') }} as incomplete)
    group by all

),

uneven_draws as (

    select
        corpus,
        experiment,
        metric,
        draw

    from {{ ref('sampled_corpus_scores') }}
    group by all
    having count(distinct n_sentences) > 1

)

select
    sentence_counts.corpus,
    sentence_counts.n_sentences as expected_sentences,
    corpora.draw,
    corpora.expected_edits,
    corpora.n_rows,
    corpora.n_sentences,
    corpora.n_impossible,
    draw_counts.n_corpora,
    score_counts.fewest_scored,
    score_counts.most_scored

from sentence_counts
left join corpora
    on
        sentence_counts.corpus = corpora.corpus
left join draw_counts
    on
        sentence_counts.corpus = draw_counts.corpus
left join score_counts
    on
        sentence_counts.corpus = score_counts.corpus
left join uneven_draws
    on
        sentence_counts.corpus = uneven_draws.corpus
where
    uneven_draws.corpus is not null
    or corpora.n_rows is distinct from sentence_counts.n_sentences
    or corpora.n_sentences <> corpora.n_rows
    or corpora.n_impossible > 0
    or draw_counts.n_corpora % {{ var('corpus_draws') }} <> 0
    -- A corpus that no metric can read has no scores.
    or score_counts.fewest_scored <> sentence_counts.n_sentences
    or score_counts.most_scored <> sentence_counts.n_sentences
