-- Every annotator's annotation of every sentence, and whether lattices may use it. `exclusion`
-- names the first rule that excludes the annotation from chains. The sampled corpora of a published
-- run have weaker rules (column is_sampled).
with

lattices as (

    select * from {{ source('raw', 'lattices') }}
    {% if not var('replication') %}
        where not is_published_run
    {% endif %}

),

-- If no annotator annotated a sentence, all rows stay, so that the reason can be shown.
answers as (

    select * from {{ ref('annotator_answers') }}
    qualify
        is_asked
        or not bool_or(is_asked) over (partition by corpus, annotation_set, sentence_id)

),

edits as (

    select
        *,
        {{ is_lattice_edit('corpus') }} as is_of_lattice,
        -- The edit starts before an earlier edit of the same annotator ends.
        coalesce(
            start_token < max(end_token) filter (where kind = 'correction') over (
                partition by corpus, annotation_set, sentence_id, annotator
                order by start_token, end_token, edit_index
                rows between unbounded preceding and 1 preceding
            ),
            false
        ) as is_overlapping

    from {{ ref('annotated_edits') }}

),

-- An annotator with a skipped edit, or who only marked errors, has not said that the sentence is
-- correct.
skipped as (

    select
        corpus,
        annotation_set,
        sentence_id,
        annotator,
        count(*) as n_skipped

    from {{ source('raw', 'm2_edits') }}
    where out_of_range = 'skipped'
    group by all

),

edit_counts as (

    select
        corpus,
        annotation_set,
        sentence_id,
        annotator,
        count(*) filter (where kind = 'correction') as n_corrections,
        count(*) filter (where kind = 'detection') as n_detections,
        count(*) filter (where kind = 'none') as n_noops,
        count(*) filter (where is_of_lattice) as n_edits,
        count(*) filter (where is_overlapping and kind = 'correction') as n_overlaps,
        count(*) filter (where out_of_range is not null) as n_out_of_range

    from edits
    group by all

),

annotations as (

    select
        lattices.corpus,
        sentences.sentence_id,
        answers.annotator,
        lattices.is_published_run,
        answers.is_asked,
        -- 'paper' is part of the hash, so that keys of nodes stay as in version 1 of the marts.
        {{ natural_key([
            'lattices.corpus', "'paper'", 'sentences.sentence_id', 'answers.annotator'
        ]) }} as annotation_id,
        coalesce(edit_counts.n_edits, 0)::integer as n_edits,
        coalesce(edit_counts.n_detections, 0) > 0 as has_detections,
        coalesce(edit_counts.n_noops, 0) > 0 as has_noop,
        edit_counts.n_noops is not null as has_lines,
        coalesce(edit_counts.n_overlaps, 0) > 0 as has_overlap,
        coalesce(edit_counts.n_out_of_range, 0) > 0 as has_edit_beyond,
        skipped.n_skipped is not null as has_skipped

    from lattices
    inner join {{ ref('usable_sentences') }} as sentences using (corpus)
    inner join answers
        on
            lattices.corpus = answers.corpus
            and lattices.annotation_set = answers.annotation_set
            and sentences.sentence_id = answers.sentence_id
    left join edit_counts
        on
            lattices.corpus = edit_counts.corpus
            and lattices.annotation_set = edit_counts.annotation_set
            and sentences.sentence_id = edit_counts.sentence_id
            and answers.annotator = edit_counts.annotator
    left join skipped
        on
            lattices.corpus = skipped.corpus
            and lattices.annotation_set = skipped.annotation_set
            and sentences.sentence_id = skipped.sentence_id
            and answers.annotator = skipped.annotator

),

in_context as (

    select
        *,
        count(*) filter (where n_edits = 0 and not has_skipped and not has_detections)
            over sentence as n_without_edits,
        count(*) filter (where has_lines) over sentence as n_with_lines,
        count(*) filter (where has_noop) over sentence as n_with_noop

    from annotations
    window sentence as (partition by corpus, sentence_id)

),

judged as (

    select
        *,
        -- The paper excludes sentences that at least one annotation leaves unchanged.
        case
            when not is_asked then 'nobody was asked about it'
            {% if var('replication') %}
                when is_published_run and n_with_noop > 0
                    then 'an annotator marked it as needing no correction (no-op)'
                when is_published_run and n_with_lines = 0
                    then 'no annotator annotated it'
                when is_published_run and n_with_lines = 1
                    then 'only one annotator corrected it'
                when is_published_run then null
            {% endif %}
            when n_without_edits > 0 then 'at least one annotator requires no correction'
        end as sentence_exclusion,
        case
            when n_edits = 0 then 'no edits'
            when has_edit_beyond then 'an edit ends beyond the sentence'
            when has_overlap then 'two of its edits overlap'
            when n_edits > {{ max_lattice_edits() }}
                then n_edits || ' edits, a mask holds {{ max_lattice_edits() }}'
        {% if var('lattice') == 'full' %}
            when not is_published_run and n_edits > {{ var('full_lattice_max_edits') }}
                then
                    'a full lattice of ' || n_edits || ' edits has '
                    || (1::bigint << n_edits) || ' nodes; full_lattice_max_edits is '
                    || '{{ var("full_lattice_max_edits") }}'
            {% endif %}
        end as annotation_exclusion,
        case
            when n_edits = 0 then null
            when has_edit_beyond
                then 'correct the span, or leave the edit out: maege ingest --bad-edits skip'
            when has_overlap then 'join the edits that overlap into one'
            when n_edits > {{ max_lattice_edits() }} then 'split the sentence, or join edits'
        {% if var('lattice') == 'full' %}
            when not is_published_run and n_edits > {{ var('full_lattice_max_edits') }}
                then 'raise the variable full_lattice_max_edits'
            {% endif %}
        end as annotation_remedy

    from in_context

),

eligible as (

    select
        *,
        sentence_exclusion is null and annotation_exclusion is null as is_in_lattice,
        -- The eleven corpora are sampled from every sentence that an annotator corrected and none
        -- called correct (as published: 831), or only from sentences with lattices (paper).
        annotation_exclusion is null
        and (
            sentence_exclusion is null
            {% if var('replication') %}
                or (is_published_run and n_with_noop = 0)
            {% endif %}
        ) as is_eligible

    from judged

)

select
    corpus,
    sentence_id,
    annotator,
    annotation_id,
    is_published_run,
    n_edits,
    sentence_exclusion,
    annotation_exclusion,
    annotation_remedy,
    is_in_lattice,
    -- More sentences cost time without new information: the draws differ more than the sentences.
    is_eligible
    and (
        dense_rank() over (
            partition by corpus, is_eligible
            order by {{ uniform('sampled sentence', ['corpus', 'sentence_id']) }}, sentence_id
        ) <= {{ var('corpus_sentences') }}
        {% if var('replication') %}
            or is_published_run
        {% endif %}
    ) as is_sampled

from eligible
