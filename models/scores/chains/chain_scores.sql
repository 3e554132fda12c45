-- The score of every selected metric, and of chance, at every position of every chain, in both
-- experiments. M2 of a published run is scored against the edits of all chains at once.
{%- set score = run_score('units.corpus', 'scores') %}
select
    units.corpus,
    units.experiment,
    units.sentence_id,
    units.chain_id,
    units.position,
    units.node_id,
    units.source_text_id,
    scores.metric,
    {{ 'coalesce(pooled.score, ' ~ score ~ ')' if var('replication') else score }} as score,
    nodes.n_edits,
    nodes.gold_score,
    nodes.gold_tokens,
    nodes.gold_characters

from {{ ref('scored_units') }} as units
inner join {{ ref('chain_nodes') }} as nodes using (chain_id, position)
inner join {{ ref('scores_and_chance') }} as scores using (pair_id)
{% if var('replication') %}
    left join {{ ref('pooled_m2_scores') }} as pooled
        on
            scores.metric = 'm2'
            and units.experiment = pooled.experiment
            and units.chain_id = pooled.chain_id
            and units.position = pooled.position
{% endif %}
where units.used_in = 'chain'
