-- Wrong corrections for every step that gets corrupted nodes, in the order in which they are tried:
-- what edits of the same type put in other sentences, and no annotator where the step's edit is. An
-- insertion takes what was inserted, a replacement what replaced something. A deletion takes what
-- replaced something as well: no other deletion would differ from it.
--
-- Of a few drawn ones that come first which change as much of the text as the right one: else
-- likeness to the source alone tells most corrupted nodes from valid nodes.
--
-- A type has at most some thousand corrections to draw from, themselves drawn: every step is held
-- against all of its type, and in a large corpus both are many.
--
-- Nothing here holds what is drawn for all steps at once: only what is sorted can be spilled.
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

-- `furthest`: how far a correction may be drawn and still be among the first. Four times as many as
-- are drawn for a step lie within it here, and at another step with other luck a quarter of them:
-- where all are as likely, that they do not is one chance in 10^11, and then there are fewer.
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

-- What the step's own sentence says, in the step's row: held against its candidates one by one, it
-- asks for no join of its size.
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
        -- A correction at its end makes this the name of a chance.
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

-- Every step beside every correction of its type: all but a few are out by their digest alone,
-- as it is for a correction that no sentence's own has made rarer.
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

-- Exponential draws: a correction of n sentences comes first n times as often as one of one
-- (Efraimidis and Spirakis 2006, "Weighted random sampling with a reservoir").
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

-- Apart from what is drawn, which joined with sentences would have their tokens in memory.
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

-- The likest change first, of those alike the one that was drawn first: one number in place of two.
likest as (

    select
        changes.step_id,
        arg_min(
            first_drawn.correction_number,
            abs(
                character_distance(changes.replaced, corrections.wrong_correction)
                - character_distance(changes.replaced, changes.correction)
            ) * (changes.n_corrupted + {{ n_drawn }} + 1) + first_drawn.place,
            -- corrupted_nodes refuses few: those whose text is valid for another reason.
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
