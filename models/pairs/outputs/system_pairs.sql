-- What metrics read for every sentence of every system output, against every reference set. Edits
-- that were ingested for the output count on the reference sets that name their edit set.
with

outputs as (

    select * from {{ ref('usable_outputs') }}

),

sentences as (

    select * from {{ ref('usable_sentences') }}

),

edit_sets as (

    select
        corpus,
        reference_set,
        edit_set

    from {{ source('raw', 'reference_sets') }}

),

output_lists as (

    select * from {{ ref('output_lists') }}

),

triples as (

    select
        outputs.corpus,
        reference_lists.reference_set,
        outputs.system,
        outputs.sentence_id,
        {{ text_key("array_to_string(sentences.tokens, ' ')", 'sentences.language') }}
            as source_text_id,
        {{ text_key('outputs.text', 'sentences.language') }} as hypothesis_text_id,
        reference_lists.references_key,
        reference_lists.gold_key,
        reference_lists.typed_gold_key,
        coalesce(ingested_edits.annotation_key, 0) as edits_key,
        output_lists.outputs_key

    from outputs
    inner join sentences using (corpus, sentence_id)
    inner join {{ ref('reference_lists') }} as reference_lists
        on
            outputs.corpus = reference_lists.corpus
            and outputs.sentence_id = reference_lists.sentence_id
    inner join edit_sets
        on
            reference_lists.corpus = edit_sets.corpus
            and reference_lists.reference_set = edit_sets.reference_set
    inner join output_lists
        on
            outputs.corpus = output_lists.corpus
            and outputs.sentence_id = output_lists.sentence_id
            and edit_sets.edit_set is not distinct from output_lists.edit_set
    left join {{ ref('ingested_edits') }} as ingested_edits
        on
            edit_sets.corpus = ingested_edits.corpus
            and edit_sets.edit_set = ingested_edits.edit_set
            and outputs.system = ingested_edits.system
            and outputs.sentence_id = ingested_edits.sentence_id

)

select
    *,
    {{ pair_key([
        'source_text_id', 'hypothesis_text_id', 'references_key', 'gold_key', 'edits_key',
        'typed_gold_key', 'outputs_key'
    ]) }} as pair_id

from triples
