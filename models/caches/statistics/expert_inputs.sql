-- The four texts that experts wrote for CoNLL-2014 (Sakaguchi et al. 2016), as if they were system
-- outputs, with the inputs of families of statistics: for Tables 2 and 3 of Asano et al. 2017. No
-- mart of systems has them.
with

inputs as (

    select distinct
        corpus,
        reference_set,
        sentence_id,
        source_text_id,
        references_key,
        gold_key

    from {{ ref('system_inputs') }}
    where corpus = 'conll14' and reference_set in ('nucle', 'bn10', 'reassess16')

),

experts as (

    select
        corpus,
        reference,
        sentence_id,
        text_id

    from {{ ref('listed_references') }}
    where reference_set = 'reassess16' and starts_with(reference, 'expert_')

)

select
    inputs.corpus,
    inputs.reference_set,
    experts.reference as system,
    inputs.sentence_id,
    inputs.source_text_id,
    experts.text_id as hypothesis_text_id,
    inputs.references_key,
    inputs.gold_key

from inputs
inner join experts using (corpus, sentence_id)
