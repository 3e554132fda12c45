-- Wrong corrections for every step that gets invalid twins, in the order in which they are tried:
-- what edits of the same type put in other sentences, and no annotator where the step's edit is. An
-- insertion takes what was inserted, a replacement what replaced something. A deletion takes what
-- replaced something as well: no other deletion would differ from it.
--
-- Of a few drawn ones that come first which change as much of the text as the right one: else
-- likeness to the source alone tells most twins from valid nodes.
--
-- A type has at most some thousand corrections to draw from, themselves drawn: every step is held
-- against all of its type, and in a large corpus both are many.
{% set n_drawn = 20 %}
{% set n_spare = 2 %}
{% set n_corrections = 2000 %}

with

steps as (

    select
        *,
        if(edit_kind = 'insertion', 'insertion', 'replacement') as candidate_kind

    from {{ ref('invalid_steps') }}

),

sentences as (

    select * from {{ ref('stg_corpus__sentences') }}

),

edits as (

    select
        *,
        if(start_token = end_token, 'insertion', 'replacement') as candidate_kind,
        trim({{ collapse_whitespace('correction') }}, ' ') as wrong_correction

    from {{ ref('annotation_edits') }}
    where is_in_lattice

),

corrected_sentences as (

    select distinct
        corpus,
        mode,
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
        mode,
        error_type,
        candidate_kind,
        wrong_correction,
        count(*) as n_sentences

    from corrected_sentences
    group by all

),

corrections as (

    select *
    from counted
    qualify
        row_number() over (
            partition by corpus, mode, error_type, candidate_kind
            order by
                -ln(1 - {{ uniform('invalid correction', [
                    'corpus', 'error_type', 'candidate_kind', 'wrong_correction'
                ]) }}) / n_sentences,
                wrong_correction
        ) <= {{ n_corrections }}

),

numbered_corrections as (

    select
        *,
        row_number() over (
            order by corpus, mode, error_type, candidate_kind, wrong_correction
        ) as correction_number

    from corrections

),

-- What the step's own sentence says, in the step's row: held against its candidates one by one, it
-- asks for no join of its size.
own_corrections as (

    select
        corpus,
        mode,
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
        flatten(list(string_split(alternatives, '||'))) as annotated

    from {{ ref('annotated_edits') }}
    where not is_noop
    group by all

),

informed_steps as (

    select
        steps.*,
        coalesce(own_corrections.own, []) as own,
        coalesce(annotated.annotated, []) as annotated

    from steps
    left join own_corrections
        on
            steps.corpus = own_corrections.corpus
            and steps.mode = own_corrections.mode
            and steps.sentence_id = own_corrections.sentence_id
            and steps.error_type = own_corrections.error_type
            and steps.candidate_kind = own_corrections.candidate_kind
    left join annotated
        on
            steps.corpus = annotated.corpus
            and steps.sentence_id = annotated.sentence_id
            and steps.start_token = annotated.start_token
            and steps.end_token = annotated.end_token

),

candidates as (

    select
        steps.step_id,
        steps.n_twins,
        corrections.correction_number,
        corrections.n_sentences
        - list_contains(steps.own, corrections.wrong_correction)::integer as n_sentences,
        {{ uniform('invalid edit', [
            'steps.corpus', 'steps.sentence_id', 'steps.annotator', 'steps.lower_mask',
            'steps.edit_index', 'corrections.wrong_correction'
        ]) }} as chance

    from informed_steps as steps
    inner join numbered_corrections as corrections
        on
            steps.corpus = corrections.corpus
            and steps.mode = corrections.mode
            and steps.error_type = corrections.error_type
            and steps.candidate_kind = corrections.candidate_kind
    where not list_contains(steps.annotated, corrections.wrong_correction)

),

-- Exponential draws: a correction of n sentences comes first n times as often as one of one
-- (Efraimidis and Spirakis 2006, "Weighted random sampling with a reservoir"). Numbers in place of
-- texts, as all steps are drawn for at once and what is kept for each cannot be spilled.
first_drawn as (

    select
        step_id,
        arg_min(
            correction_number, -ln(1 - chance) / n_sentences, n_twins + {{ n_drawn }}
        ) as correction_numbers

    from candidates
    where n_sentences > 0
    group by
        step_id,
        n_twins

),

-- Found by number: a join of all that is drawn with these texts would hold all of it at once.
correction_texts as (

    select list(wrong_correction order by correction_number) as texts
    from numbered_corrections

),

drawn as (

    select
        steps.step_id,
        steps.n_twins,
        steps.correction,
        array_to_string(
            list_slice(sentences.tokens, steps.start_token + 1, steps.end_token), ' '
        ) as replaced,
        unnest(first_drawn.correction_numbers) as correction_number,
        generate_subscripts(first_drawn.correction_numbers, 1) as draw

    from first_drawn
    inner join steps on first_drawn.step_id = steps.step_id
    inner join sentences
        on
            steps.corpus = sentences.corpus
            and steps.sentence_id = sentences.sentence_id

),

-- The likest change first, of those alike the one that was drawn first: one number in place of two.
likest as (

    select
        drawn.step_id,
        arg_min(
            drawn.correction_number,
            abs(
                character_distance(
                    drawn.replaced, correction_texts.texts[drawn.correction_number]
                )
                - character_distance(drawn.replaced, drawn.correction)
            ) * (drawn.n_twins + {{ n_drawn }} + 1) + drawn.draw,
            -- invalid_nodes refuses few: those that make a text which is valid for another reason.
            drawn.n_twins + {{ n_spare }}
        ) as correction_numbers

    from drawn
    cross join correction_texts
    group by
        drawn.step_id,
        drawn.n_twins

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
    correction_texts.texts[placed.correction_number] as wrong_correction,
    placed.place

from placed
cross join correction_texts
