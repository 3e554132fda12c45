-- The score of every selected metric, and of chance, at every position of every chain, in both
-- experiments. M2 of a published run is scored against the edits of all chains at once.
with

chain_pairs as (

    select * from {{ ref('scored_units') }}
    where used_in = 'chain'

),

{% if var('replication') %}
    pooled_m2_scores as (

        select
            *,
            'm2' as metric

        from {{ ref('pooled_m2_scores') }}

    ),

{% endif %}
sentence_scores as (

    select * from {{ ref('scores_and_chance') }}

)

select
    chain_pairs.corpus,
    chain_pairs.experiment,
    chain_pairs.sentence_id,
    chain_pairs.chain_id,
    chain_pairs.position,
    chain_pairs.node_id,
    chain_pairs.source_text_id,
    sentence_scores.metric,
    {% if var('replication') %}
        coalesce(
            pooled_m2_scores.score, {{ run_score('chain_pairs.corpus', 'sentence_scores') }}
        ) as score,
    {% else %}
        {{ run_score('chain_pairs.corpus', 'sentence_scores') }} as score,
    {% endif %}
    gold_scores.n_edits,
    gold_scores.gold_score,
    gold_scores.gold_tokens,
    gold_scores.gold_characters

from chain_pairs
inner join {{ ref('chain_gold_scores') }} as gold_scores using (chain_id, position)
inner join sentence_scores on chain_pairs.pair_id = sentence_scores.pair_id
{% if var('replication') %}
    left join pooled_m2_scores
        on
            sentence_scores.metric = pooled_m2_scores.metric
            and chain_pairs.experiment = pooled_m2_scores.experiment
            and chain_pairs.chain_id = pooled_m2_scores.chain_id
            and chain_pairs.position = pooled_m2_scores.position
{% endif %}
