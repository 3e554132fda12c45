with worst_of_sentence as (
    select * from discordant_pairs
    where experiment = 'random_source'
    qualify row_number() over (
        partition by corpus, metric, sentence_id order by badness_rank
    ) = 1
)
select
    pairs.corpus, pairs.metric,
    row_number() over (partition by pairs.corpus, pairs.metric order by pairs.badness_rank) as rank,
    pairs.sentence_id, pairs.error_type, pairs.n_edits_between,
    pairs.lower_score, pairs.upper_score, pairs.delta,
    scores.source_text, lower_nodes.text as lower_text, upper_nodes.text as upper_text
from worst_of_sentence as pairs
join lattice_nodes as lower_nodes on pairs.lower_node_id = lower_nodes.node_id
join lattice_nodes as upper_nodes on pairs.upper_node_id = upper_nodes.node_id
join node_scores as scores
    on pairs.corpus = scores.corpus
    and pairs.experiment = scores.experiment and pairs.metric = scores.metric
    and pairs.chain_id = scores.chain_id and pairs.upper_position = scores.position
qualify rank <= 5
order by pairs.corpus, pairs.metric, rank
