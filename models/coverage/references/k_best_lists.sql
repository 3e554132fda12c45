-- Sentences with what each system could have made of them, from its first choice on, and with the
-- references of each set: as texts, and as annotators' edits where it has them.
with

sentences as (

    select
        corpus,
        sentence_id,
        array_to_string(tokens, ' ') as source

    from {{ ref('usable_sentences') }}

),

choices as (
    {{ of_usable_sentences(ref('stg_corpus__k_best')) }}
),

outputs as (

    select
        corpus,
        system,
        sentence_id,
        list(text order by rank) as outputs

    from choices
    group by corpus, system, sentence_id

),

reference_texts as (

    select
        corpus,
        reference_set,
        sentence_id,
        list(text order by position) as texts

    from {{ ref('listed_references') }}
    group by corpus, reference_set, sentence_id

)

select
    outputs.corpus,
    reference_texts.reference_set,
    outputs.system,
    outputs.sentence_id,
    sentences.source,
    outputs.outputs,
    reference_texts.texts as "references",
    coalesce(annotated_gold.annotations, []) as annotations

from outputs
inner join sentences using (corpus, sentence_id)
inner join reference_texts
    on
        outputs.corpus = reference_texts.corpus
        and outputs.sentence_id = reference_texts.sentence_id
inner join {{ source('raw', 'reference_sets') }} as reference_sets
    on
        outputs.corpus = reference_sets.corpus
        and reference_texts.reference_set = reference_sets.reference_set
left join {{ ref('annotated_gold') }} as annotated_gold
    on
        outputs.corpus = annotated_gold.corpus
        and outputs.sentence_id = annotated_gold.sentence_id
        and reference_sets.annotation_set = annotated_gold.annotation_set
