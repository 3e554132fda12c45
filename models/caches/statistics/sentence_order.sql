-- The order in which samples use the sentences of a corpus: whole sentences, and a larger sample
-- contains each smaller one.
with

inputs as (

    select
        corpus,
        sentence_id
    from {{ ref('scoring_inputs') }}
    union
    select
        corpus,
        sentence_id
    from {{ ref('expert_inputs') }}

)

select
    corpus,
    sentence_id,
    row_number() over (
        partition by corpus
        order by {{ uniform('sampled_sentence', ['corpus', 'sentence_id']) }}, sentence_id
    ) as place

from inputs
