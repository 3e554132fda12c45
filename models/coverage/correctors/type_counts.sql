-- ERRANT's edits of each type by sentence: of systems, and of the annotators of a reference set,
-- summed. The type is without the operation (NOUN:NUM for M, R and U). Edits of unknown correction
-- (UNK) do not count.
with

inputs as (

    select * from {{ ref('system_inputs') }}
    where typed_gold_key is not null

),

hypothesis_edits as (

    select * from {{ ref('hypothesis_edits') }}
    where error_type <> 'UNK'

),

gold_edits as (

    select * from {{ ref('typed_gold_edits') }}
    where error_type <> 'UNK'

),

gold as (

    select distinct
        corpus,
        reference_set,
        sentence_id,
        typed_gold_key

    from inputs

),

edits as (

    select
        inputs.corpus,
        inputs.reference_set,
        inputs.system,
        inputs.sentence_id,
        hypothesis_edits.error_type,
        null::integer as position

    from inputs
    inner join hypothesis_edits on inputs.edits_key = hypothesis_edits.annotation_key

    union all

    select
        gold.corpus,
        gold.reference_set,
        null as system,
        gold.sentence_id,
        gold_edits.error_type,
        gold_edits.position::integer as position

    from gold
    inner join gold_edits on gold.typed_gold_key = gold_edits.gold_key

)

select
    corpus,
    reference_set,
    system,
    position,
    sentence_id,
    regexp_replace(error_type, '^[MRU]:', '') as error_type,
    count(*)::integer as n_edits

from edits
group by all
