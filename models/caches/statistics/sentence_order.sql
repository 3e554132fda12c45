-- What a metric that scores a sample has of each corpus: whole sentences, and of a larger sample
-- those of a smaller one first.
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
