-- The references that metrics read for a lattice that compares corpora: whole texts by annotators
-- of the sentence, including the lattice's own (`own`), all except that one (`others`), a random
-- one of these (`one_other`); or the references of the lattice's own experiment if none is by its
-- annotators (`disjoint_set`).
with

compared as (

    select
        lattices.*,
        corpora.language

    from {{ ref('compared_lattices') }} as lattices
    inner join {{ source('raw', 'corpora') }} as corpora on lattices.corpus = corpora.corpus

),

sets as (

    select * from {{ source('raw', 'lattices') }}

),

-- An annotator who did not change, or did not annotate, a sentence gives no reference for it.
annotations as (

    select
        corpus,
        sentence_id,
        annotator

    from {{ ref('lattice_annotations') }}
    where sentence_exclusion is null and n_edits > 0

),

texts as (

    select
        annotations.corpus,
        annotations.sentence_id,
        annotations.annotator,
        positions.position,
        texts.text

    from annotations
    inner join sets using (corpus)
    inner join {{ ref('annotation_texts') }} as texts
        on
            sets.corpus = texts.corpus
            and sets.annotation_set = texts.annotation_set
            and annotations.sentence_id = texts.sentence_id
            and annotations.annotator = texts.annotator
    inner join {{ source('raw', 'annotators') }} as positions
        on
            sets.corpus = positions.corpus
            and sets.annotation_set = positions.annotation_set
            and annotations.annotator = positions.annotator

),

shown as (

    select
        compared.corpus,
        compared.sentence_id,
        compared.annotation_id,
        compared.has_edit_metrics,
        texts.annotator <> compared.annotator as is_other,
        texts.annotator,
        texts.position,
        texts.text,
        {{ text_key('texts.text', 'compared.language') }} as text_id,
        row_number() over (
            partition by compared.annotation_id, texts.annotator <> compared.annotator
            order by {{ uniform(
                'one other', ['compared.corpus', 'compared.sentence_id', 'compared.annotator',
                'texts.annotator']
            ) }}
        ) as place

    from compared
    inner join texts using (corpus, sentence_id)

),

of_annotators as (

    select
        shown.corpus,
        modes.references_mode,
        shown.sentence_id,
        shown.annotation_id,
        bool_and(shown.has_edit_metrics and modes.references_mode = 'one_other')
            as has_edit_metrics,
        list(shown.annotator order by shown.position) as annotators,
        list(shown.text_id order by shown.position) as text_ids,
        bool_or(trim(shown.text, ' ') = '') as has_empty_reference

    from shown
    inner join (values ('own'), ('others'), ('one_other')) as modes (references_mode)
        on
            modes.references_mode = 'own'
            or (shown.is_other and (modes.references_mode = 'others' or shown.place = 1))
    group by shown.corpus, modes.references_mode, shown.sentence_id, shown.annotation_id

),

of_others as (

    select
        compared.corpus,
        sets.references_mode,
        compared.sentence_id,
        compared.annotation_id,
        compared.has_edit_metrics,
        null::varchar[] as annotators,
        lists.text_ids,
        lists.has_empty_reference,
        list_contains(lists.text_ids, shown.text_id) as has_own_text

    from compared
    inner join shown
        on
            compared.annotation_id = shown.annotation_id
            and not shown.is_other
    inner join sets on compared.corpus = sets.corpus
    inner join {{ ref('reference_lists') }} as lists
        on
            sets.corpus = lists.corpus
            and sets.reference_set = lists.reference_set
            and compared.sentence_id = lists.sentence_id
    where sets.references_mode = 'disjoint_set'

),

united as (

    select * from of_annotators
    union all by name
    select * from of_others

)

select
    *,
    {{ content_key('text_ids::varchar') }} as references_key

from united
