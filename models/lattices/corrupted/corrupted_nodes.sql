-- The corrupted nodes of valid nodes: the same edits, except that the step's edit has a wrong
-- correction. None has the text of a valid node, a reference or the original of its sentence, and
-- none equals the original after an annotator's edit with another span.
with

-- The table is read twice, because sorting all of its columns would spill.
steps as not materialized (

    select * from {{ ref('corrupted_steps') }}

),

candidates as (

    select * from {{ ref('corrupted_candidates') }}

),

sentences as (

    select
        *,
        array_to_string(tokens, ' ') as original

    from {{ ref('usable_sentences') }}

),

edits as (

    select * from {{ ref('annotation_edits') }}

),

{% if var('replication') %}
    published_orders as (

        select * from {{ ref('lattice_chains') }}
        where {{ is_published_run('corpus') }}

    ),

{% endif %}
node_texts as (

    select * from {{ ref('node_texts') }}

),

annotation_edit_lists as (

    {{ annotation_edit_lists('edits', 'published_orders') }}

),

corrupted as (

    select
        steps.*,
        {{ natural_key(['steps.step_id', 'candidates.wrong_correction']) }} as corrupted_node_id,
        candidates.wrong_correction,
        candidates.place,
        sentences.tokens,
        sentences.original,
        list_transform(
            list_filter(
                annotation_edit_lists.edits,
                lambda edit: steps.upper_mask & edit['edit_bit'] > 0  -- noqa: RF02
            ),
            lambda edit: struct_pack(
                start_token := edit['start_token'],  -- noqa: RF02
                end_token := edit['end_token'],  -- noqa: RF02
                correction := if(
                    edit['edit_index'] = steps.edit_index,  -- noqa: RF02
                    candidates.wrong_correction,
                    edit['correction']  -- noqa: RF02
                )
            )
        ) as edits,
        {{ single_edit_text(
            'sentences.tokens', 'steps.start_token', 'steps.end_token',
            'candidates.wrong_correction'
        ) }} as text_alone

    from steps
    inner join candidates on steps.step_id = candidates.step_id
    inner join sentences
        on
            steps.corpus = sentences.corpus
            and steps.sentence_id = sentences.sentence_id
    inner join annotation_edit_lists
        on steps.annotation_id = annotation_edit_lists.annotation_id

),

corrected as (

    select
        corpus,
        sentence_id,
        step_id,
        n_corrupted,
        place,
        corrupted_node_id,
        wrong_correction,
        text_alone,
        {{ corrected_text('tokens', 'edits') }} as text

    from corrupted

),

valid_texts as (

    select
        corpus,
        sentence_id,
        trim(text, ' ') as text
    from node_texts
    union
    select
        corpus,
        sentence_id,
        text
    from {{ ref('usable_references') }}
    union
    select
        corpus,
        sentence_id,
        original as text
    from sentences

),

annotated_alternatives as (

    select
        corpus,
        sentence_id,
        start_token,
        end_token,
        unnest(alternatives) as correction

    from {{ ref('annotated_edits') }}
    where kind = 'correction'

),

annotated_texts as (

    select distinct
        alternatives.corpus,
        alternatives.sentence_id,
        {{ single_edit_text(
            'sentences.tokens', 'alternatives.start_token', 'alternatives.end_token',
            'alternatives.correction'
        ) }} as text

    from annotated_alternatives as alternatives
    inner join sentences using (corpus, sentence_id)

),

invalid as (

    select corrected.*
    from corrected
    anti join valid_texts
        on
            corrected.corpus = valid_texts.corpus
            and corrected.sentence_id = valid_texts.sentence_id
            and trim(corrected.text, ' ') = valid_texts.text
    anti join annotated_texts
        on
            corrected.corpus = annotated_texts.corpus
            and corrected.sentence_id = annotated_texts.sentence_id
            and corrected.text_alone = annotated_texts.text
    qualify
        row_number() over (partition by corrected.step_id order by corrected.place)
        <= corrected.n_corrupted

)

select
    invalid.corpus,
    invalid.sentence_id,
    steps.annotator,
    steps.chain_id,
    invalid.step_id,
    steps.lower_position,
    steps.upper_position,
    steps.valid_node_id,
    invalid.corrupted_node_id,
    steps.error_type,
    steps.edit_kind,
    steps.correction,
    invalid.wrong_correction,
    invalid.text,
    {{ text_key('invalid.text', 'corpora.language') }} as text_id,
    character_distance(sentences.original, valid_nodes.text) as valid_distance,
    character_distance(sentences.original, invalid.text) as corrupted_distance

from invalid
inner join steps using (step_id)
inner join sentences
    on
        invalid.corpus = sentences.corpus
        and invalid.sentence_id = sentences.sentence_id
inner join node_texts as valid_nodes on steps.valid_node_id = valid_nodes.node_id
inner join {{ source('raw', 'corpora') }} as corpora on invalid.corpus = corpora.corpus
