-- What metrics read for every sentence of every output that is made by rule, as system_pairs has it
-- for real ones, whose weights they have. Nobody has extracted their edits.
with

outputs as (

    select * from {{ ref('adversarial_systems') }}

),

sentences as (

    select * from {{ ref('usable_sentences') }}

),

output_lists as (

    select * from {{ ref('output_lists') }}

),

triples as (

    select
        outputs.corpus,
        outputs.reference_set,
        outputs.system,
        outputs.sentence_id,
        {{ text_key("array_to_string(sentences.tokens, ' ')", 'sentences.language') }}
            as source_text_id,
        {{ text_key('outputs.text', 'sentences.language') }} as hypothesis_text_id,
        reference_lists.references_key,
        reference_lists.gold_key,
        reference_lists.typed_gold_key,
        0::bigint as edits_key,
        output_lists.outputs_key

    from outputs
    inner join sentences using (corpus, sentence_id)
    inner join {{ ref('reference_lists') }} as reference_lists
        on
            outputs.corpus = reference_lists.corpus
            and outputs.reference_set = reference_lists.reference_set
            and outputs.sentence_id = reference_lists.sentence_id
    inner join {{ source('raw', 'reference_sets') }} as reference_sets
        on
            outputs.corpus = reference_sets.corpus
            and outputs.reference_set = reference_sets.reference_set
    inner join output_lists
        on
            outputs.corpus = output_lists.corpus
            and outputs.sentence_id = output_lists.sentence_id
            and reference_sets.edit_set is not distinct from output_lists.edit_set

)

select
    *,
    {{ pair_key([
        'source_text_id', 'hypothesis_text_id', 'references_key', 'gold_key', 'edits_key',
        'typed_gold_key', 'outputs_key'
    ]) }} as pair_id

from triples
