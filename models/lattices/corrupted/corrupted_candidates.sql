-- Wrong corrections for every step that gets corrupted nodes, in the order in which they are tried:
-- corrections of edits of the same type in other sentences that no annotator makes at this place.
-- Insertions come from insertions, and replacements from replacements. Deletions also come from
-- replacements, because all deletions are equal.
--
-- Sampled candidates come first if their edit size matches that of the valid edit. Otherwise
-- similarity to the source alone would identify most corrupted nodes.
--
-- A type has at most some thousand corrections, which are sampled themselves, because every step is
-- compared with all corrections of its type.
--
-- No CTE has the sampled candidates of all steps at once, because DuckDB spills only sorts.
{% set n_drawn = 20 %}
{% set n_spare = 2 %}
{% set n_corrections = 2000 %}
{% set n_near = (4 * (var('corrupted_edits') | float + 1 + n_drawn)) | int %}

with

steps as not materialized (

    select
        *,
        if(edit_kind = 'insertion', 'insertion', 'replacement') as candidate_kind

    from {{ ref('corrupted_steps') }}

),

edits as (

    select
        *,
        if(start_token = end_token, 'insertion', 'replacement') as candidate_kind,
        {{ squeezed('correction') }} as wrong_correction

    from {{ ref('annotation_edits') }}
    where is_in_lattice

),

corrected_sentences as (

    select distinct
        corpus,
        error_type,
        candidate_kind,
        wrong_correction,
        sentence_id

    from edits
    where wrong_correction <> ''

),

counted as (

    select
        corpus,
        error_type,
        candidate_kind,
        wrong_correction,
        count(*) as n_sentences

    from corrected_sentences
    group by all

),

weighed as (

    select
        *,
        -ln(1 - {{ uniform('invalid correction', [
            'corpus', 'error_type', 'candidate_kind', 'wrong_correction'
        ]) }}) / n_sentences as draw

    from counted

),

-- `furthest`: the largest random number with which a correction may still be among the first. In
-- expectation, four times the required number of candidates are below it. The chance of too few is
-- 1 in 10^11 if all are equally likely; the step then has fewer candidates.
corrections as (

    select
        *,
        nth_value(draw, {{ n_near }}) over (
            partition by corpus, error_type, candidate_kind
            order by draw, wrong_correction
            rows between unbounded preceding and unbounded following
        ) as furthest

    from weighed
    qualify
        row_number() over (
            partition by corpus, error_type, candidate_kind
            order by draw, wrong_correction
        ) <= {{ n_corrections }}

),

numbered_corrections as (

    select
        *,
        row_number() over (
            order by corpus, error_type, candidate_kind, wrong_correction
        ) as correction_number,
        {{ last_digest('(1 - exp(-furthest * n_sentences))') }} as last_digest

    from corrections

),

-- The corrections of the step's own sentence, as a list in the row of the step: checking each
-- candidate by a join would be expensive.
own_corrections as (

    select
        corpus,
        sentence_id,
        error_type,
        candidate_kind,
        list(wrong_correction) as own

    from corrected_sentences
    group by all

),

annotated as (

    select
        corpus,
        sentence_id,
        start_token,
        end_token,
        flatten(list(alternatives)) as annotated

    from {{ ref('annotated_edits') }}
    where kind = 'correction'
    group by all

),

informed_steps as (

    select
        steps.*,
        -- This text with a correction appended names a random number.
        {{ named_chance('invalid edit', [
            'steps.corpus', 'steps.sentence_id', 'steps.annotator', 'steps.lower_mask',
            'steps.edit_index', "''"
        ]) }} as named,
        coalesce(own_corrections.own, []) as own,
        coalesce(annotated.annotated, []) as annotated

    from steps
    left join own_corrections using (corpus, sentence_id, error_type, candidate_kind)
    left join annotated using (corpus, sentence_id, start_token, end_token)

),

-- Every step with every correction of its type. The digest alone excludes most of them, by the
-- limit for corrections that do not occur in the step's own sentence.
digested as (

    select
        steps.step_id,
        steps.n_corrupted,
        steps.own,
        steps.annotated,
        corrections.correction_number,
        corrections.wrong_correction,
        corrections.n_sentences,
        corrections.furthest,
        md5(steps.named || corrections.wrong_correction) as digest

    from informed_steps as steps
    inner join numbered_corrections as corrections using (corpus, error_type, candidate_kind)
    where corrections.furthest is null or digest <= corrections.last_digest

),

candidates as (

    select
        step_id,
        n_corrupted,
        correction_number,
        furthest,
        n_sentences - list_contains(own, wrong_correction)::integer as n_sentences,
        {{ uniform_of_digest('digest') }} as chance

    from digested
    where not list_contains(annotated, wrong_correction)

),

-- Exponential variables: a correction that occurs in n sentences comes first n times as often as
-- one that occurs once (Efraimidis and Spirakis 2006, "Weighted random sampling with a reservoir").
near_candidates as (

    select
        step_id,
        n_corrupted,
        correction_number,
        -ln(1 - chance) / n_sentences as draw

    from candidates
    where n_sentences > 0 and (furthest is null or draw <= furthest)

),

first_drawn as (

    select
        step_id,
        correction_number,
        row_number() over (
            partition by step_id
            order by draw, correction_number
        ) as place

    from near_candidates
    qualify place <= n_corrupted + {{ n_drawn }}

),

-- A separate CTE, because a join with sentences would hold their tokens in memory.
changes as (

    select
        steps.step_id,
        steps.n_corrupted,
        steps.correction,
        array_to_string(
            list_slice(sentences.tokens, steps.start_token + 1, steps.end_token), ' '
        ) as replaced

    from steps
    inner join {{ ref('usable_sentences') }} as sentences using (corpus, sentence_id)

),

-- The most similar change first, then the order of sampling: one sort key in place of two.
likest as (

    select
        changes.step_id,
        arg_min(
            first_drawn.correction_number,
            abs(
                character_distance(changes.replaced, corrections.wrong_correction)
                - character_distance(changes.replaced, changes.correction)
            ) * (changes.n_corrupted + {{ n_drawn }} + 1) + first_drawn.place,
            -- corrupted_nodes rejects a few of these, whose text is valid for another reason.
            changes.n_corrupted + {{ n_spare }}
        ) as correction_numbers

    from first_drawn
    inner join changes on first_drawn.step_id = changes.step_id
    inner join numbered_corrections as corrections
        on first_drawn.correction_number = corrections.correction_number
    group by
        changes.step_id,
        changes.n_corrupted

),

placed as (

    select
        step_id,
        unnest(correction_numbers) as correction_number,
        generate_subscripts(correction_numbers, 1) as place

    from likest

)

select
    placed.step_id,
    corrections.wrong_correction,
    placed.place

from placed
inner join numbered_corrections as corrections using (correction_number)
