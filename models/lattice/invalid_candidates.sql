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
        {{ natural_key([
            'corpus', 'mode', 'error_type', 'candidate_kind', 'wrong_correction'
        ]) }} as correction_id,
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
        correction_id,
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

annotated as (

    select distinct
        corpus,
        sentence_id,
        start_token,
        end_token,
        unnest(string_split(alternatives, '||')) as correction

    from {{ ref('annotated_edits') }}
    where not is_noop

),

candidates as (

    select
        steps.step_id,
        steps.n_twins,
        corrections.wrong_correction,
        corrections.n_sentences
        - (corrected_sentences.sentence_id is not null)::integer as n_sentences,
        {{ uniform('invalid edit', [
            'steps.corpus', 'steps.sentence_id', 'steps.annotator', 'steps.lower_mask',
            'steps.edit_index', 'corrections.wrong_correction'
        ]) }} as chance

    from steps
    inner join corrections
        on
            steps.corpus = corrections.corpus
            and steps.mode = corrections.mode
            and steps.error_type = corrections.error_type
            and steps.candidate_kind = corrections.candidate_kind
    left join corrected_sentences
        on
            corrections.correction_id = corrected_sentences.correction_id
            and steps.sentence_id = corrected_sentences.sentence_id
    anti join annotated
        on
            steps.corpus = annotated.corpus
            and steps.sentence_id = annotated.sentence_id
            and steps.start_token = annotated.start_token
            and steps.end_token = annotated.end_token
            and corrections.wrong_correction = annotated.correction

),

drawn as (

    select
        step_id,
        wrong_correction,
        -- Exponential draws: a correction of n sentences comes first n times as often as one of
        -- one (Efraimidis and Spirakis 2006, "Weighted random sampling with a reservoir").
        row_number() over (
            partition by step_id order by -ln(1 - chance) / n_sentences, wrong_correction
        ) as draw

    from candidates
    where n_sentences > 0
    qualify draw <= n_twins + {{ n_drawn }}

),

compared as (

    select
        drawn.step_id,
        drawn.wrong_correction,
        drawn.draw,
        steps.n_twins,
        steps.correction,
        array_to_string(
            list_slice(sentences.tokens, steps.start_token + 1, steps.end_token), ' '
        ) as replaced

    from drawn
    inner join steps on drawn.step_id = steps.step_id
    inner join sentences
        on
            steps.corpus = sentences.corpus
            and steps.sentence_id = sentences.sentence_id

),

placed as (

    select
        *,
        row_number() over (
            partition by step_id
            order by
                abs(
                    character_distance(replaced, wrong_correction)
                    - character_distance(replaced, correction)
                ),
                draw
        ) as place

    from compared

)

select
    step_id,
    wrong_correction,
    place

from placed
-- invalid_nodes refuses few: those that make a text which is valid for another reason.
where place <= n_twins + {{ n_spare }}
